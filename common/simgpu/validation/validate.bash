# Sourced by ./kit for `./kit validate`: the same programs on the simulated and on the real GPU, results compared
# bit by bit and, where ncu is present, counters with what Nsight Compute measures.
# shellcheck shell=bash disable=SC2154 # root, build: set by ./kit

validation=$root/common/simgpu/validation
differences=0

# The columns of the device's counters that Nsight Compute has under the same name, and its shared wavefronts
# attributed to instructions.
ncu_metrics() {
  grep -o '"[a-z0-9]*__[a-z0-9_]*\.sum"' "$root/common/simgpu/device/counters.h" | tr -d '"' |
    sed -n 's/^l1tex__data_pipe.*/smsp__sass_&/; s/__sass_l1tex__/__sass_l1tex_/; /^simgpu__/!p; s/^smsp__sass_l1tex_data_pipe/l1tex__data_pipe/p' | sort -u | paste -sd,
}

# same_bits NAME SIM GPU ARGUMENT…: both programs with --out give the same file.
same_bits() {
  local name=$1 sim=$2 gpu=$3 verdict=equal
  shift 3
  "$sim" "$@" --out "$out/sim.npy" >/dev/null || die "validate: $name failed on the simulated GPU"
  "$gpu" "$@" --out "$out/gpu.npy" >/dev/null || die "validate: $name failed on the GPU"
  cmp -s "$out/sim.npy" "$out/gpu.npy" || verdict=DIFFERENT
  [[ $verdict == equal ]] || differences=$((differences + 1))
  echo "$name,$verdict" >>"$out/bits.csv"
}

# same_counters NAME SIM GPU ARGUMENT…: every launch is counted alike.
same_counters() {
  local name=$1 sim=$2 gpu=$3 status=0
  shift 3
  SIMGPU_COUNTERS=$out/simulated.csv "$sim" "$@" >/dev/null
  ncu --clock-control none --csv --page raw --print-units base --metrics "$(ncu_metrics)" --log-file "$out/measured.csv" "$gpu" "$@" >/dev/null ||
    die "validate: ncu failed on $name: $(tail -n 1 "$out/measured.csv")"
  grep '^"' "$out/measured.csv" >"$out/ncu.csv"
  LC_ALL=C awk -f "$root/common/plot/csv.awk" -f "$validation/compare.awk" -v program="$name" "$out/simulated.csv" "$out/ncu.csv" >>"$out/counters.csv" || status=$?
  ((status < 2)) || exit 2
  differences=$((differences + status))
}

validate_stencil() {
  local sim=$build/solutions/01_stencil/stencil.sim gpu=$build/solutions/01_stencil/stencil.gpu size kappa variant
  for size in 3x3 33x65 501x500 1000x1000; do
    for kappa in 0 2; do
      for variant in naive tiled marching; do
        same_bits "stencil $variant $size kappa $kappa" "$sim" "$gpu" --variant "$variant" --nx "${size%x*}" --ny "${size#*x}" --kappa "$kappa" --seed 7
      done
      if has ncu; then same_counters "stencil $size kappa $kappa" "$sim" "$gpu" compare --nx "${size%x*}" --ny "${size#*x}" --kappa "$kappa"; fi
    done
  done
}

command_validate() {
  takes_nothing validate "$@"
  has_gpu || die "validate: it compares with a real GPU, and nvidia-smi finds none"
  need_nvcc
  need "${compilers[@]}"
  has ncu || say 'counters are not compared without ncu'
  build_or_die solutions_01_stencil_sim solutions_01_stencil_gpu simgpu-device
  out=$root/results/validate
  mkdir -p "$out"
  echo 'case,results' >"$out/bits.csv"
  echo 'program,kernel,grid,block,metric,simulated,measured,agree' >"$out/counters.csv"
  validate_stencil
  rm -f "$out"/{sim,gpu}.npy "$out"/{simulated,measured,ncu}.csv
  echo "$(grep -c ',equal$' "$out/bits.csv") of $(($(wc -l <"$out/bits.csv") - 1)) results have the same bits"
  grep ',DIFFERENT$' "$out/bits.csv" || true
  LC_ALL=C awk -f "$root/common/plot/csv.awk" -f "$validation/table.awk" "$out/counters.csv"
  echo "$(grep -c ',yes$' "$out/counters.csv" || true) counters equal, $(grep -c ',NO$' "$out/counters.csv" || true) different, $(grep -c ',-$' "$out/counters.csv" || true) for information"
  grep ',NO$' "$out/counters.csv" || true
  ((differences == 0)) || exit 1
}
