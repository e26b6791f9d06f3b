#!/usr/bin/env bash
# Compares modelled and measured times on a machine with a GPU: times.bash BUILD. BUILD is a build tree with the targets
# model_times_sim, model_times_gpu and the programs of solutions 01 to 04. CSV on standard output: kernel, modelled and
# measured milliseconds, modelled / measured.
set -euo pipefail

if [[ $# -ne 1 || ! -d $1 ]]; then
  echo "usage: times.bash BUILD" >&2
  exit 2
fi
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# beside MODELLED MEASURED: joins the rows "name,ms" of both files by name.
beside() {
  LC_ALL=C awk -F, 'NR == FNR { modelled[$1] = $2; next }
    $1 in modelled { printf "%s,%s,%s,%.2f\n", $1, modelled[$1], $2, modelled[$1] / $2 }' "$1" "$2"
}

kernels() { "$build/simgpu/validation/model_times.$1" 4096 "$2" | tail -n +2 | sed 's/^/4096 /' >"$folder/$1.csv"; }

# lab_table DEVICE REPEATS LAB COMMAND SIZES: the rows of a lab's table begin with N, variant, milliseconds.
lab_table() {
  "$build/solutions/$3/${3#*_}.$1" "$4" --sizes "$5" --repeats "$2" |
    awk '$1 + 0 > 0 { print $1 " " $2 "," $3 }' >"$folder/$1.csv"
}

echo 'kernel,modelled_ms,measured_ms,ratio'
kernels sim 1
kernels gpu 11
beside "$folder/sim.csv" "$folder/gpu.csv"
while read -r lab_command_sizes; do
  # shellcheck disable=SC2086 # three words
  lab_table sim 1 $lab_command_sizes </dev/null
  # shellcheck disable=SC2086
  lab_table gpu 11 $lab_command_sizes </dev/null
  beside "$folder/sim.csv" "$folder/gpu.csv"
done <<'END' | awk -F, '!told[$1]++' # each lab measures a copy
01_stencil table 500,600,700,800,900
01_stencil table 8192
02_masked_redblack table 4096,8192
03_compressed table 4096,8192
04_split_layout table 4096,8192
04_split_layout sgemm-table 1024,2048
END
