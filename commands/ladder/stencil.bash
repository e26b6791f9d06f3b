# Sourced by run.bash: compares lab 01's kernels and draws a solution.
# shellcheck shell=bash disable=SC2154 # set by ./kit and run.bash

stencil_n=1000
stencil_variants=(csr naive tiled marching)

queue_stencil() { # queue_stencil OUT; on a GPU, u and f do not fit in L2
  local program grid=(--nx "$stencil_n")
  program=$(lab_program 01_stencil "$device")
  [[ $device == sim ]] || stencil_n=4096 grid=(--nx 4096 --launches 21)
  job stencil 01_stencil "SIMGPU_COUNTERS=$1/counters.csv" "$program" compare "${grid[@]}" --csv "$1/compare.csv"
  job solution 01_stencil "$program" solve --nx 257 --out "$1/u.npy"
}

# An unwritten variant has no row in compare.csv; the others run.
stencil_outcome() { # stencil_outcome OUT VARIANT
  local part
  part=$(sed -n "s/^$2 .*TODO(\([0-9]*\)).*/\1/p" "$scratch/stencil.out" 2>/dev/null || true)
  if [[ -n $part ]]; then
    unwritten 01_stencil "$part"
  elif [[ -n ${not_compiled[01_stencil]-} || $(<"$scratch/stencil.status") != [03] ]]; then
    outcome stencil 01_stencil
  elif ! awk -F, -v variant="$2" '$1 == variant { right = $7 < 1e-5 && $7 !~ /nan/ } END { exit !right }' "$1/compare.csv"; then
    echo "wrong result: $(look_at 01_stencil)/$2"
  fi
}

note_stencil() { # note_stencil OUT: prints the variants that have figures
  local variant
  for variant in "${stencil_variants[@]}"; do
    note stencil "$variant" "$(stencil_outcome "$1" "$variant")"
    ! has_figures stencil "$variant" || echo "$variant"
  done | paste -sd ' '
}

show_stencil() { # show_stencil OUT
  local right files=("$1/compare.csv")
  right=$(note_stencil "$1")
  if [[ -n $right ]]; then
    [[ ! -f $1/counters.csv ]] || files+=("$1/counters.csv")
    awk_kit "$ladder/stencil_figures.awk" right=" $right " place="$(place_of "$stencil_n")" "${files[@]}" >>"$figures"
  fi
  printf '\nLab 01: f = A u on %d x %d points, float. %s\n' "$stencil_n" "$stencil_n" "$(clock_words)"
  printf 'Relative error: the largest error divided by the largest |A u|. The host multiplies by the csr matrix.\n\n'
  show_table stencil "$stencil_n"
  [[ ! -f $scratch/solution.out ]] || printf '\n−Δu = 1 on the unit square: %s\n' "$(cat "$scratch/solution.out")"
}

queue_stencil_times() { # queue_stencil_times OUT SIZES
  job stencil.times 01_stencil "$(lab_program 01_stencil gpu)" table --sizes "$2" --repeats 5 --csv "$1/01_stencil.table.csv"
}

show_stencil_times() { # show_stencil_times OUT: measured times; results were compared at another size
  local right stencil_variants=(naive tiled marching)
  right=$(note_stencil "$1")
  if [[ -n $right && -f $1/01_stencil.table.csv ]]; then
    awk -F, -v right=" $right " -v place="$(place_of '&')" 'NR > 1 && index(right, " " $2 " ") {
      where = place
      sub(/&/, $1, where)
      printf "stencil,%s,%s,,,,,,,,%s,%s\n", $2, where, $3, $6
    }' "$1/01_stencil.table.csv" >>"$figures"
  fi
  printf '\nLab 01: f = A u, float, the kernel alone. %s\n' "$(clock_words)"
  printf 'Of copy: effective bandwidth (8 bytes x points / time) divided by the bandwidth of a copy.\n\n'
  show_table stencil 16384
}
