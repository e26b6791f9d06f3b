# Sourced by ./kit for `./kit validate`: runs the same programs on the simulated and on the real GPU. It compares
# results bit by bit, counters with those of Nsight Compute if ncu is present, and modelled with measured times.
# shellcheck shell=bash disable=SC2154 # root, build: set by ./kit

validation=$root/simgpu/validation

# The counters in the header of $out/simulated.csv that Nsight Compute has under the same name, and its shared
# wavefronts attributed to instructions.
ncu_metrics() {
  head -n 1 "$out/simulated.csv" | tr , '\n' | grep '__.*\.sum$' |
    sed -n 's/^l1tex__data_pipe.*/smsp__sass_&/; s/__sass_l1tex__/__sass_l1tex_/; /^simgpu__/!p; s/^smsp__sass_l1tex_data_pipe/l1tex__data_pipe/p' | sort -u | paste -sd,
}

# run_both NAME SIM GPU ARGUMENT…: runs both programs with --out, into $out/sim.out and gpu.out. A failed check of a
# result (status 1) does not stop the run, because the results can still be compared.
run_both() {
  local name=$1 sim=$2 gpu=$3 status=0
  shift 3
  rm -f "$out"/{sim,gpu}.out
  SIMGPU_COUNTERS=$out/simulated.csv "$sim" "$@" --out "$out/sim.out" >/dev/null || status=$?
  ((status < 2)) || die "validate: $name failed on the simulated GPU"
  "$gpu" "$@" --out "$out/gpu.out" >/dev/null || status=$?
  ((status < 2)) || die "validate: $name failed on the GPU"
  tail -n +2 "$out/simulated.csv" | sed "s/^/${name%% *},/" >>"$out/launches.csv"
}

# same_bits NAME SIM GPU ARGUMENT…: compares the files of both programs.
same_bits() {
  local verdict=equal
  run_both "$@"
  cmp -s "$out/sim.out" "$out/gpu.out" || verdict=DIFFERENT
  echo "${1%% *},$1,$verdict" >>"$out/bits.csv"
}

# same_results NAME SIM GPU: compares the results of each test of a program of kernels/.
same_results() {
  run_both "$@"
  LC_ALL=C awk -f "$validation/results.awk" -v program="$1" "$out/sim.out" "$out/gpu.out" >>"$out/bits.csv"
}

# same_counters NAME SIM GPU ARGUMENT…: compares the counters of every launch.
same_counters() {
  local name=$1 sim=$2 gpu=$3 status=0
  shift 3
  SIMGPU_COUNTERS=$out/simulated.csv "$sim" "$@" >/dev/null || true
  ncu --clock-control none --csv --page raw --print-units base --metrics "$(ncu_metrics)" --log-file "$out/measured.csv" "$gpu" "$@" >/dev/null || true
  grep '^"' "$out/measured.csv" >"$out/ncu.csv" ||
    die "validate: ncu failed on $name: $(tail -n 1 "$out/measured.csv")"
  LC_ALL=C awk -f "$root/commands/plot/csv.awk" -f "$validation/compare.awk" -v program="$name" "$out/simulated.csv" "$out/ncu.csv" >>"$out/counters.csv" || status=$?
  ((status < 2)) || exit 2
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

# Rows: lab, whether its counters are compared too, arguments of its program.
lab_cases() {
  local size count sweeps fuse mnk variant
  for size in 3x3 4x5 33x65 129x100 515x83 1000x1000; do
    count=no
    [[ $size != 33x65 && $size != 1000x1000 ]] || count=yes
    sweeps="--sweeps 8 --seed 7 --nx ${size%x*} --ny ${size#*x}"
    cat <<END
02_masked_redblack $count --variant masked $sweeps
02_masked_redblack $count --variant jacobi $sweeps
03_compressed $count --variant compressed $sweeps
04_split_layout $count --variant split $sweeps
04_split_layout $count --variant float4 $sweeps
05_sor_omega $count --omega 1.7 --problem random $sweeps
05_sor_omega no --omega 1.7 --problem random --kappa 3 $sweeps
END
    for fuse in 1 2 3 4 5 6 7 8; do
      echo "04_split_layout $([[ $fuse == 7 ]] && echo "$count" || echo no) --variant fused --fuse $fuse $sweeps"
    done
  done
  count=no
  for mnk in 1,1,1 127,129,130 257,100,7 384,256,513 256,384,512; do
    [[ $mnk != 256,384,512 ]] || count=yes
    for variant in naive tile pipelined; do
      echo "04_split_layout $count sgemm --variant $variant --seed 7 --m ${mnk%%,*} --n $(cut -d, -f2 <<<"$mnk") --k ${mnk##*,}"
    done
  done
  cat <<END
05_sor_omega no --variant sequential --nx 9 --ny 7 --sweeps 3
05_sor_omega no solve --precision double --nx 65
06_pcg no --method cg --nx 100 --ny 77 --problem random
06_pcg no --method pcg --omega 1.4 --nx 100 --ny 77 --problem random
06_pcg no --method fused --nx 100 --ny 77 --problem random
06_pcg no --method reduced --nx 101 --ny 78 --kappa 2 --problem random
05_sor_omega no solve --precision mixed --tolerance 1e-10 --nx 65 --ny 50 --problem random
END
}

validate_labs() {
  local lab count arguments program
  while read -r lab count arguments <&3; do # the programs may read standard input
    program=$build/solutions/$lab/${lab#*_}
    # shellcheck disable=SC2086 # a list of arguments
    same_bits "${lab#*_} $arguments" "$program.sim" "$program.gpu" $arguments
    if has ncu && [[ $count == yes ]]; then
      # shellcheck disable=SC2086
      same_counters "${lab#*_}" "$program.sim" "$program.gpu" $arguments
    fi
  done 3< <(lab_cases)
}

validate_kernels() { # validate_kernels NAME…
  local name program needed capability
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader)
  for name; do
    needed=7
    [[ ! $name =~ ^(halves|warps|tensors|groups|children|generated)$ ]] || needed=8
    [[ $name != clusters ]] || needed=9
    if ((${capability%%.*} < needed)); then
      say "$name is skipped: it needs a GPU of compute capability $needed.0"
      continue
    fi
    program=$build/simgpu/validation/$name
    if [[ ! -x $program.gpu ]]; then
      say "$name is skipped: libcudadevrt was not found"
      continue
    fi
    same_results "$name" "$program.sim" "$program.gpu"
    # The number of iterations of some loops depends on timing, and it is not recorded whether ncu profiles the
    # launches of kernels.
    if has ncu && [[ ! $name =~ ^(contended|handoff|children)$ ]]; then same_counters "$name" "$program.sim" "$program.gpu"; fi
  done
}

# All operands of the approximate instructions.
validate_special() {
  local instruction count
  "$build/simgpu/validation/special.gpu" >"$out/special.csv" || (($? == 1)) || die 'validate: special failed on the GPU'
  while IFS=, read -r instruction count; do
    echo "special,$instruction,$( ((count)) && echo DIFFERENT || echo equal)" >>"$out/bits.csv"
  done <"$out/special.csv"
}

# A table of modelled and measured milliseconds. It is not judged, because the clock of a shared GPU varies.
validate_times() {
  "$validation/times.bash" "$build" >"$out/times.csv" || die "validate: times.bash failed: no times were measured"
  LC_ALL=C awk -f "$validation/times.awk" "$out/times.csv" | tee "$out/times.md"
}

lab_targets() {
  local lab
  { echo 01_stencil; lab_cases | awk '{ print $1 }'; } | sort -u | while read -r lab; do
    echo "solutions_${lab}_sim solutions_${lab}_gpu"
  done
}

# The programs of kernels/ into all; names must be among them.
find_programs() { # find_programs NAME…
  local name
  all=("$validation"/kernels/*.cu)
  all=("${all[@]##*/}")
  all=("${all[@]%.cu}")
  for name; do
    [[ " ${all[*]} " == *" $name "* ]] || die "validate: no program is named '$name': expected one of ${all[*]}"
  done
}

command_validate() {
  # shellcheck disable=SC2034 # for build.bash
  local all targets with_tests=1
  find_programs "$@"
  has_gpu || die "validate: nvidia-smi finds no GPU: expected a real one to compare with"
  need_nvcc
  need "${compilers[@]}"
  has ncu || say 'counters are not compared: ncu was not found'
  targets=(simgpu-device "${@/#/validate_}")
  # shellcheck disable=SC2207 # a list of targets
  (($#)) || targets+=($(lab_targets) validation model_times_sim model_times_gpu)
  build_or_die "${targets[@]}"
  out=$root/results/validate
  mkdir -p "$out"
  echo 'program,case,results' >"$out/bits.csv"
  echo 'program,launch,kernel' >"$out/launches.csv"
  echo 'program,kernel,grid,block,metric,simulated,measured,agree' >"$out/counters.csv"
  if (($#)); then
    validate_kernels "$@"
  else
    validate_stencil
    validate_labs
    validate_kernels "${all[@]}"
    validate_special
  fi
  LC_ALL=C awk -f "$root/commands/plot/csv.awk" -f "$validation/summary.awk" "$out"/{launches,bits,counters}.csv >"$out/summary.md"
  LC_ALL=C awk -f "$root/commands/plot/csv.awk" -f "$validation/table.awk" "$out/counters.csv" >"$out/counters.md"
  rm -f "$out"/{sim,gpu}.out "$out"/{simulated,measured,ncu,launches}.csv
  cat "$out/summary.md"
  echo
  cat "$out/counters.md"
  (($#)) || validate_times
  echo "$(grep -c ',equal$' "$out/bits.csv" || true) of $(($(wc -l <"$out/bits.csv") - 1)) results have the same bits"
  grep ',DIFFERENT$' "$out/bits.csv" || true
  echo "$(grep -c ',yes$' "$out/counters.csv" || true) counters equal, $(grep -c ',NO$' "$out/counters.csv" || true) different, $(grep -c ',-$' "$out/counters.csv" || true) for information"
  grep ',NO$' "$out/counters.csv" || true
  ! grep -qE ',(DIFFERENT|NO)$' "$out"/{bits,counters}.csv || exit 1
}
