#!/usr/bin/env bash
# random_kernels.bash BUILD FIRST LAST: runs the kernels of these seeds, 40 each, on the simulated and on the real GPU,
# and prints how many have the same bits. BUILD is a build of the kit on a machine with a GPU. Exit status: 0 all equal,
# 1 not, 2 bad usage.
set -euo pipefail

validation=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ $# -eq 3 && -x $1/toolkit/bin/nvcc && $2 =~ ^[0-9]+$ && $3 =~ ^[0-9]+$ ]] || {
  echo "usage: random_kernels.bash BUILD FIRST LAST, where BUILD has a toolkit (./kit toolkit makes it)" >&2
  exit 2
}
toolkit=$(realpath "$1/toolkit")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compile() { # compile SEED
  cd "$scratch"
  python3 "$validation/random_kernels.py" --seed "$1" >"$1.h"
  printf '#include "%s"\n' "$validation/kernels/harness.h" "$1.h" >"$1.cu"
  "$toolkit/bin/nvcc" -w -O1 -fmad=false "$1.cu" -o "$1.sim"
  nvcc -w -O1 -fmad=false -gencode "arch=compute_80,code=sm_$capability" "$1.cu" -o "$1.gpu"
}
export -f compile
export validation scratch toolkit
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
export capability
seq "$2" "$3" | xargs -P "$(nproc)" -I{} bash -ec 'compile {}'
for ((seed = $2; seed <= $3; seed++)); do
  for device in sim gpu; do
    "$scratch/$seed.$device" --out "$scratch/$seed.$device.out" >&2
  done
  LC_ALL=C awk -f "$validation/results.awk" -v program="$seed" "$scratch/$seed.sim.out" "$scratch/$seed.gpu.out"
  rm "$scratch/$seed".*.out
done >"$scratch/results"
grep ',DIFFERENT$' "$scratch/results" || true
echo "$(grep -c ',equal$' "$scratch/results" || true) of $(wc -l <"$scratch/results") random kernels have the same bits"
! grep -q ',DIFFERENT$' "$scratch/results"
