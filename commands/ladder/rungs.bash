# Sourced by run.bash: the ladder runs the same sweeps of the same u and f through labs 02 to 04, rung by rung.
# shellcheck shell=bash disable=SC2154 # set by ./kit and run.bash

ladder_n=4096 # u and f do not fit in the L2 of the modelled GPU
ladder_sweeps=7 # the fused kernel does this many in one pass over memory

# rung, lab, --variant, kernel
all_rungs() {
  cat <<'END'
masked       02_masked_redblack masked     masked_kernel
compressed   03_compressed      compressed compressed_kernel
split        04_split_layout    split      half_sweep_kernel
split_float4 04_split_layout    float4     float4_kernel
fused        04_split_layout    fused      fused_kernel
END
}

rungs() { # the rungs whose lab exists
  local rung lab rest
  all_rungs | while read -r rung lab rest; do
    ! has_lab "$lab" || echo "$rung $lab $rest"
  done
}

right_rungs() {
  local rung rest
  rungs | while read -r rung rest; do
    ! has_figures ladder "$rung" || echo "$rung $rest"
  done
}

rung_labs() { rungs | awk '{ print $2 }' | sort -u; }

# queue_climb DEVICE OUT: runs every rung's sweeps on it, from the same random u and f, into $scratch/RUNG.DEVICE.npy.
queue_climb() {
  local rung lab variant kernel
  while read -r rung lab variant kernel; do
    job "$rung.$1" "$lab" "SIMGPU_COUNTERS=$2/$rung.counters.csv" "SIMGPU_ADDRESSES=$2/$rung.addresses.csv" \
      "$(lab_program "$lab" "$1")" --variant "$variant" --nx "$ladder_n" --sweeps "$ladder_sweeps" --out "$scratch/$rung.$1.npy"
  done < <(rungs)
}

queue_expected() {
  job expected - "$build/commands/ladder/ladder_expected" --nx "$ladder_n" --sweeps "$ladder_sweeps" --out "$scratch/expected.npy"
}

# queue_times SIZES REPEATS OUT: queues each lab's table on the GPU
queue_times() {
  local lab
  while read -r lab; do
    job "times.$lab" "$lab" "$(lab_program "$lab" gpu)" table --sizes "$1" --repeats "$2" --csv "$3/$lab.table.csv"
  done < <(rung_labs)
}

rung_outcome() { # rung_outcome OUT RUNG LAB VARIANT KERNEL
  local place said
  for place in $(devices); do
    said=$(outcome "$2.$place" "$3")
    if [[ -z $said ]] && ! cmp -s "$scratch/expected.npy" "$scratch/$2.$place.npy"; then
      said="wrong result after $ladder_sweeps sweeps on device $place: $(look_at "$3")"
    fi
    [[ -z $said ]] || { echo "$said" && return; }
  done
  if ! grep -q "$5" "$1/$2.counters.csv"; then
    echo "the counters show no launch of $5: give the kernel this name"
  elif [[ $device == gpu ]] && ! grep -q ",$4," "$1/$3.table.csv" 2>/dev/null; then
    echo "not measured: $(cat "$scratch/times.$3.err" "$scratch/times.$3.out" | head -n 1)"
  fi
}

# The bandwidth of a copy in the time model, GB/s.
model_copy() { "$build/bin/simgpu-device" --model | awk -F, '$1 == "memory_bytes_per_ns" { print $2 }'; }

# Sizes whose arrays do not fit in L2, up to the limit of the GPU's memory.
measured_sizes() {
  local free
  free=$(nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits | head -n 1)
  if ((free > 12000)); then
    echo 8192,16384
  elif ((free > 3000)); then
    echo 8192
  else
    echo 4096
  fi
}

ladder_csv() { # ladder_csv OUT
  local arguments=(n="$ladder_n" sweeps="$ladder_sweeps" copy="$(model_copy)") rung lab variant kernel
  while read -r rung lab variant kernel; do
    arguments+=(rung="$rung" variant="$variant" kernel="$kernel" "$1/$rung.counters.csv")
    [[ $device == sim ]] || arguments+=("$1/$lab.table.csv")
  done < <(right_rungs)
  awk_kit "$ladder/ladder.awk" "${arguments[@]}"
}

ladder_figures() { # ladder_figures OUT: rows of figures.csv
  awk -F, -v place="$(place_of '&')" 'NR > 1 {
    where = place
    sub(/&/, $1, where)
    printf "ladder,%s,%s,,%s,%s,%s,%s,,,%s,%s\n", $2, where, $4, $5, $6, $7, $9, $11
  }' "$1/ladder.csv"
}

note_rungs() { # note_rungs OUT
  local rung rest
  while read -r rung rest; do
    # shellcheck disable=SC2086 # three words
    note ladder "$rung" "$(rung_outcome "$1" "$rung" $rest)"
  done < <(rungs)
}

show_ladder() { # show_ladder OUT
  note_rungs "$1"
  printf '\nThe ladder: one red-black Gauss-Seidel sweep, float. The simulated GPU counts lanes and sectors at N = %d.\n' "$ladder_n"
  printf 'Active lanes: fraction of 32, in memory and arithmetic instructions. %s\n' "$(clock_words)"
  printf 'Of copy: effective bandwidth (12 bytes x points / time) divided by the bandwidth of a copy.\n'
  if [[ -n $(right_rungs) ]]; then
    ladder_csv "$1" >"$1/ladder.csv" || exit 2
    ladder_figures "$1" >>"$figures"
  fi
  show_table ladder "$ladder_n"
  [[ -z $(right_rungs) ]] || printf '\nAfter %d sweeps, these rungs have the same bits as the reference on the host%s: %s.\n' "$ladder_sweeps" \
    "$([[ $device == sim ]] || echo ', on the simulated and on the real GPU')" "$(right_rungs | awk '{ print $1 }' | paste -sd ' ')"
}

queue_ladder_pictures() { # queue_ladder_pictures OUT
  local rung lab variant kernel sources=()
  while read -r rung lab variant kernel; do
    sources+=("${rung//_/ }=$1/$rung.addresses.csv:$kernel")
  done < <(right_rungs)
  ((${#sources[@]})) || return 0
  picture ladder.py "$1/ladder.csv" "$1/ladder.png"
  picture access.py "$1/access.png" "${sources[@]}"
  picture access.py "$1/access_{}.png" "${sources[@]}"
}
