# Sourced by run.bash: figures.csv holds the figures of one run; reference.csv holds the reference figures. Both have
# the same columns and one row for each table, name, device, n and clock (model, or GPU for measured times).
# shellcheck shell=bash disable=SC2034,SC2154 # set or read by ./kit and run.bash

reference=$ladder/reference.csv
figures_header=table,name,device,n,clock,conditions,relative_error,active_lanes,sectors_per_request,bytes_per_sector,sectors_per_point,iterations,megabytes,ms,fraction_of_copy

clock() { if [[ $device == gpu ]]; then echo GPU; else echo model; fi; }

# The origin of the times: the cells device, n, clock and conditions.
place_of() { # place_of N
  if [[ $device == gpu ]]; then
    echo "$gpu_name,$1,GPU,$gpu_conditions"
  else
    echo "NVIDIA H200,$1,model,simulated GPU"
  fi
}

query_gpu() { nvidia-smi --query-gpu="$1" --format=csv,noheader | head -n 1 | tr -d ,; }

name_gpu() {
  gpu_name=$(query_gpu name)
  gpu_conditions="CUDA $(nvcc_version "$(find_nvcc)"); driver $(query_gpu driver_version)"
}

clock_words() {
  if [[ $device == gpu ]]; then
    echo "Times are measured on $gpu_name."
  else
    echo 'Times come from the model of an NVIDIA H200.'
  fi
}

show_table() { # show_table TABLE N
  awk_kit "$ladder/figures_table.awk" table="$1" n="$2" clock="$(clock)" beside="$([[ $tree == solutions ]] || echo 1)" \
    "$scratch/outcomes" "$figures" "$reference"
}

# save_reference: rows of figures.csv replace those with the same table, device and clock. Other rows stay.
save_reference() {
  local new=$scratch/reference.csv
  awk -F, 'NR == FNR { if (FNR > 1) fresh[$1, $3, $5] = 1; next } FNR == 1 || !(($1, $3, $5) in fresh)' \
    "$figures" "$reference" >"$new"
  sed 1d "$figures" >>"$new"
  { head -n 1 "$new" && sed 1d "$new" | LC_ALL=C sort -s -t, -k5,5r -k3,3 -k1,1r; } >"$new.sorted"
  mv "$new.sorted" "$reference"
  echo "wrote ${reference#"$root"/}"
}
