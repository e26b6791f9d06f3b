#!/usr/bin/env bash
# Measures the speed of the simulated device: speed.bash PROGRAM [REPEATS]. `./kit nvcc speed.cu -o PROGRAM` makes
# PROGRAM. CSV on standard output: kernel, million warp instructions per second of CPU time on one host thread and on
# two; the best of REPEATS (default 5).
set -euo pipefail

if [[ $# -lt 1 || ! -x $1 ]]; then
  echo "usage: speed.bash PROGRAM [REPEATS]" >&2
  exit 2
fi
program=$1 repeats=${2:-5}

# best THREADS KERNEL
best() {
  for ((i = 0; i < repeats; i++)); do
    SIMGPU_SPEED=1 SIMGPU_THREADS=$1 "$program" "$2" 2>&1 >/dev/null
  done | LC_ALL=C awk '/^simgpu: .* of CPU time/ && $(NF - 3) > most { most = $(NF - 3) } END { print most }'
}

echo 'kernel,one_thread,two_threads'
for kernel in $("$program"); do
  echo "$kernel,$(best 1 "$kernel"),$(best 2 "$kernel")"
done
