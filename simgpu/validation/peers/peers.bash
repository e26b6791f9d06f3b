#!/usr/bin/env bash
# CPU time of the simulated GPU beside HIP-CPU and PoCL, which count nothing: peers.bash SPEED [HIP_CPU]
# SPEED: what `./kit nvcc -O3 simgpu/validation/speed.cu -o SPEED` made. HIP_CPU: a folder with HIP-CPU's sources.
# Without it, and without OpenCL, that column is empty. CSV on standard output: milliseconds of CPU time for a launch,
# on one core; the median of 3 differences of a run with 21 launches and one with 1.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ $# -ge 1 && -x $1 && (-z ${2-} || -f $2/include/hip/hip_runtime.h) ]] || {
  echo "usage: peers.bash SPEED [HIP_CPU], where SPEED is a program and HIP_CPU has include/hip/hip_runtime.h" >&2
  exit 2
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SIMGPU_THREADS=1 POCL_CACHE_DIR=$scratch/pocl
mkdir "$scratch/pocl"

if [[ ${2-} ]]; then # HIP-CPU has no <<<…>>>
  sed -E 's/([a-z_]+(<PAD>)?)<<<(.*)>>>\(/hipLaunchKernelGGL((\1), \3, 0, 0, /' "$here/../speed.cu" >"$scratch/speed.cpp"
  cp "$here/hip_names.h" "$scratch/cuda_runtime.h"
  g++ -std=c++17 -O3 -march=native -w -I "$scratch" -I "$2/include" "$scratch/speed.cpp" -o "$scratch/hip" -ltbb -lpthread
fi
gcc -O2 "$here/speed_opencl.c" -o "$scratch/opencl" -lOpenCL 2>/dev/null || echo 'peers: no OpenCL: expected Debian packages ocl-icd-opencl-dev and pocl-opencl-icd' >&2

# seconds COMMAND…: of CPU time, with the processes that it starts.
seconds() {
  local TIMEFORMAT='%U %S'
  { time taskset -c 0 "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

# launch COMMAND…: milliseconds of a launch, or nothing if the command fails.
launch() {
  taskset -c 0 "$@" 21 >/dev/null 2>&1 || return 0 # fills the caches of code
  for _ in 1 2 3; do
    echo "$(seconds "$@" 21) $(seconds "$@" 1)"
  done | LC_ALL=C awk '{ printf "%.2f\n", 50 * ($1 - $2) }' | sort -n | sed -n 2p | tr -d '\n'
}

echo kernel,interpreter,native,hip_cpu,pocl
for kernel in $("$1"); do
  printf '%s,' "$kernel"
  printf '%s,' "$(SIMGPU_NATIVE=off launch "$1" "$kernel")" "$(SIMGPU_NATIVE=always launch "$1" "$kernel")" "$(launch "$scratch/hip" "$kernel")"
  launch "$scratch/opencl" "$here/speed.cl" "$kernel"
  echo
done
