#!/usr/bin/env bash
# Modelled and measured times side by side, on a machine with a GPU: times.bash BUILD, where BUILD is a build tree with
# the targets model_times_sim, model_times_gpu, solutions_01_stencil_sim and solutions_01_stencil_gpu. CSV on standard
# output: kernel, modelled and measured milliseconds, modelled / measured.
set -euo pipefail

if [[ $# -ne 1 || ! -d $1 ]]; then
  echo "usage: times.bash BUILD" >&2
  exit 2
fi
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# beside MODELLED MEASURED: rows "name,ms" of both, joined by name.
beside() {
  LC_ALL=C awk -F, 'NR == FNR { modelled[$1] = $2; next }
    $1 in modelled { printf "%s,%s,%s,%.2f\n", $1, modelled[$1], $2, modelled[$1] / $2 }' "$1" "$2"
}

kernels() { "$build/common/simgpu/validation/model_times.$1" 4096 "$2" | tail -n +2 | sed 's/^/4096 /' >"$folder/$1.csv"; }

# The table's rows: N, variant, milliseconds of the kernel alone.
stencil() {
  "$build/solutions/01_stencil/stencil.$1" table --sizes "$2" --repeats "$3" | awk '$1 + 0 > 0 { print $1 " " $2 "," $3 }' >"$folder/$1.csv"
}

echo 'kernel,modelled_ms,measured_ms,ratio'
kernels sim 1
kernels gpu 11
beside "$folder/sim.csv" "$folder/gpu.csv"
for sizes in 500,600,700,800,900 8192; do
  stencil sim "$sizes" 1
  stencil gpu "$sizes" 11
  beside "$folder/sim.csv" "$folder/gpu.csv"
done
