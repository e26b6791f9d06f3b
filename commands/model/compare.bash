#!/usr/bin/env bash
# Compares modelled with measured times of kernels: compare.bash [--markdown] KERNEL_TIMES SIZE… KERNEL_TIMES is the
# program for the simulated GPU, which runs once for each size. Sizes up to 2048 also select the matrix products. The
# measured times are those of times.h200.csv beside this file, the permitted deviations those of bounds.csv. Exit status
# 1: a deviation is larger than permitted; 2: bad usage.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
markdown=
if [[ ${1-} == --markdown ]]; then
  markdown=1
  shift
fi
if (($# < 2)) || [[ ! -x $1 ]]; then
  echo 'usage: compare.bash [--markdown] KERNEL_TIMES SIZE…' >&2
  exit 2
fi
program=$1
shift
modelled=$(mktemp)
trap 'rm -f "$modelled"' EXIT
# A process for each size: the model estimates a kernel's second launch with other data from its first one.
for size; do
  for set in bench held_out; do
    "$program" --set "$set" --sizes "$size" --products "$( ((size > 2048)) || echo "$size")"
  done
done >"$modelled"
LC_ALL=C awk -f "$here/compare.awk" markdown="$markdown" "$here/bounds.csv" "$modelled" "$here/times.h200.csv"
