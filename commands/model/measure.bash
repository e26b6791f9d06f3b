#!/usr/bin/env bash
# Measures the kernels that the time model is compared with, on a GPU: measure.bash [FILE]. It needs nvcc and
# nvidia-smi, and writes CSV to FILE, else to standard output. Lines that begin with # name the machine, the clocks
# and the date.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if (($# > 1)) || [[ ${1-} == -* ]]; then
  echo 'usage: measure.bash [FILE]' >&2
  exit 2
fi
if ! [[ -x $nvcc ]] || ! command -v nvidia-smi >/dev/null; then
  echo "measure.bash: nvcc or nvidia-smi was not found: expected both in PATH, or nvcc's path in NVCC" >&2
  exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

query() { nvidia-smi --id=0 --query-gpu="$1" --format=csv,noheader; }

# compile FILE: with the options of cmake/labs.cmake, so that the kernels are those of the labs' programs.
compile() {
  local lab='' include=(-I "$here" -I "$root/common/support" -I "$root/common/poisson" -I "$root/common/lab_frame")
  if [[ $1 == lab_* ]]; then
    lab=$(echo "$root"/labs/"${1#lab_}"_*)
    include+=(-I "$lab")
  fi
  "$nvcc" -O2 -lineinfo -fmad=false -std=c++20 --extended-lambda -w --generate-code="arch=compute_80,code=sm_$capability" \
    "${include[@]}" -c "$here/$1.cu" -o "$scratch/$1.o"
}

capability=$(query compute_cap | tr -d .)
export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES:-0}
jobs=()
for file in "$here"/*.cu; do
  compile "$(basename "$file" .cu)" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do
  wait "$job"
done
"$nvcc" -o "$scratch/kernel_times" "$scratch"/*.o

[[ -z ${1-} ]] || exec >"$1"
echo "# $(query name); driver $(query driver_version); $("$nvcc" --version | grep -o 'release [0-9.]*' | sed 's/release/CUDA/')"
echo "# clocks before: $(query clocks.sm), memory $(query clocks.mem), limit $(query clocks.max.sm); power limit $(query power.limit)"
echo "# date: $(date -u +%Y-%m-%d)"
"$scratch/kernel_times" --measure --sizes 1024,4096,8192,16384 --products 1024,2048,4096
echo "# clocks after: $(query clocks.sm), memory $(query clocks.mem); $(query temperature.gpu) °C"
