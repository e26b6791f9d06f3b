#!/usr/bin/env bash
# usage: collect.sh >access_patterns.NAME.csv
# On a machine with a GPU and ncu: prints what ncu counts for every launch of access_patterns.cu.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1)
nvcc -O3 -fmad=false -gencode "arch=compute_80,code=sm_${capability/./}" -o "$scratch/access_patterns" "$here/access_patterns.cu"
"$scratch/access_patterns" >"$scratch/patterns"
metrics=$(head -n 1 "$here/access_patterns.h200.csv" | cut -d, -f3-)
ncu --clock-control none --csv --page raw --print-units base --metrics "$metrics" --log-file "$scratch/ncu" \
  "$scratch/access_patterns" >/dev/null
grep '^"' "$scratch/ncu" | LC_ALL=C awk -f "$here/../../../plot/csv.awk" -f "$here/collect.awk" -v metrics="$metrics" \
  -v patterns="$scratch/patterns"
