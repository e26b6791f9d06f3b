# Sourced by ./kit for `./kit run` and `./kit bench`: lab 01's kernels, then the ladder: the same sweeps of the same u and
# f through labs 02 to 04, rung by rung, in one table and pictures.
# shellcheck shell=bash disable=SC2154 # root, build, device, compilers: set by ./kit

ladder=$root/common/ladder
ladder_n=4096 # u and f do not fit in the L2 of the modelled GPU
ladder_sweeps=7 # what the fused kernel does in one pass over memory

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

# Those whose lab is there.
rungs() {
  local rung lab rest
  all_rungs | while read -r rung lab rest; do
    [[ ! -f $root/solutions/$lab/${lab#*_}.cu ]] || echo "$rung $lab $rest"
  done
}

rung_labs() { rungs | awk '{ print $2 }' | sort -u; }

ladder_targets() { # ladder_targets DEVICE: what to build
  local lab
  rung_labs | while read -r lab; do
    echo "solutions_${lab}_$1"
  done
}

lab_program() { echo "$build/solutions/$1/${1#*_}.$2"; } # lab_program LAB DEVICE

awk_kit() { # awk_kit SCRIPT ARGUMENT…
  LC_ALL=C awk -f "$root/common/plot/csv.awk" -f "$root/common/plot/table.awk" -f "$@"
}

plot_kit() { # plot_kit SCRIPT ARGUMENT…: skipped without Matplotlib
  plot_python=${plot_python-$(find_plot_python || true)} # found once
  [[ -z $plot_python ]] || MPLCONFIGDIR=$build/matplotlib "$plot_python" -B "$root/common/plot/$1" "${@:2}"
}

# climb DEVICE: every rung's sweeps on it, from the same random u and f, into $scratch/RUNG.DEVICE.npy.
climb() {
  local rung lab variant kernel
  while read -r rung lab variant kernel; do
    SIMGPU_COUNTERS=$out/$rung.counters.csv SIMGPU_ADDRESSES=$out/$rung.addresses.csv "$(lab_program "$lab" "$1")" \
      --variant "$variant" --nx "$ladder_n" --sweeps "$ladder_sweeps" --out "$scratch/$rung.$1.npy" >/dev/null ||
      die "rung $rung failed on device $1"
  done < <(rungs)
}

compare_rungs() {
  local results=("$scratch"/*.npy) result what="all ${ladder_sweeps}-sweep results"
  for result in "${results[@]}"; do
    cmp -s "${results[0]}" "$result" ||
      { say "$(basename "${results[0]}" .npy) and $(basename "$result" .npy) differ: expected the same bits" && exit 1; }
  done
  [[ $device == sim ]] || what+=', of the simulated and of the real GPU,'
  printf '\n%s are bit-identical: %s\n' "$what" "$(basename -a -s .npy "${results[@]}" | paste -sd' ')"
}

# measure SIZES REPEATS: each lab's table on the GPU.
measure() {
  local lab
  while read -r lab; do
    "$(lab_program "$lab" gpu)" table --sizes "$1" --repeats "$2" --csv "$out/$lab.table.csv" >/dev/null ||
      die "the table of lab $lab failed"
  done < <(rung_labs)
}

# Bandwidth that the time model takes for a copy, GB/s.
model_copy() { sed -n 's/.*memory_bytes_per_ns = \([0-9]*\),.*/\1/p' "$root/common/simgpu/device/model.c"; }

# Sizes whose arrays do not fit in L2, as far as the GPU's memory goes.
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

ladder_csv() {
  local arguments=(n="$ladder_n" sweeps="$ladder_sweeps" copy="$(model_copy)") rung lab variant kernel
  while read -r rung lab variant kernel; do
    arguments+=(rung="$rung" variant="$variant" kernel="$kernel" "$out/$rung.counters.csv")
    [[ $device == sim ]] || arguments+=("$out/$lab.table.csv")
  done < <(rungs)
  awk_kit "$ladder/ladder.awk" "${arguments[@]}"
}

draw_ladder() {
  local rung lab variant kernel sources=()
  while read -r rung lab variant kernel; do
    sources+=("${rung//_/ }=$out/$rung.addresses.csv:$kernel")
  done < <(rungs)
  plot_kit ladder.py "$out/ladder.csv" "$out/ladder.png"
  plot_kit access.py "$out/access.png" "${sources[@]}"
  plot_kit access.py "$out/access_{}.png" "${sources[@]}"
}

# run_ladder OUT REPEATS: tables and pictures into OUT, which is emptied.
run_ladder() {
  local out=$1 scratch=$build/ladder
  rm -rf "$out" "$scratch"
  [[ -n $(rungs) ]] || return 0
  mkdir -p "$out" "$scratch"
  climb sim
  printf '\nThe ladder: a red-black Gauss-Seidel sweep. Lanes at work, in memory and arithmetic instructions, and sectors\n'
  printf 'as the simulated GPU counts them at N = %d; of copy: 12 bytes a point, over the bandwidth of a copy.\n' "$ladder_n"
  if [[ $device == gpu ]]; then
    climb gpu
    measure "$(measured_sizes)" "$2"
    printf 'Times are measured.\n'
  else
    printf 'Times and that bandwidth are those of the model of an NVIDIA H200.\n'
  fi
  ladder_csv >"$out/ladder.csv" || exit 2
  awk_kit "$ladder/ladder_table.awk" "$out/ladder.csv"
  compare_rungs
  rm -rf "$scratch"
  draw_ladder
}

# Tables of lab 01's kernels and a picture of a solution, into OUT. On a GPU u and f do not fit in L2.
run_stencil() { # run_stencil OUT
  local out=$1 program grid=(--nx 1000)
  program=$(lab_program 01_stencil "$device")
  [[ $device == sim ]] || grid=(--nx 4096 --launches 21)
  rm -rf "$out"
  mkdir -p "$out"
  SIMGPU_COUNTERS=$out/counters.csv "$program" compare "${grid[@]}" --csv "$out/compare.csv" | sed -n 1p
  awk_kit "$root/common/plot/kernel_table.awk" "$out"/*.csv # compare.csv, counters.csv
  printf '\n−Δu = 1 on the unit square: '
  "$program" solve --nx 257 --out "$out/u.npy"
  plot_kit surface.py "$out/u.npy" "$out/u.png"
}

# One solve to 1e-6 as a row of the table and, into $out, its history: solve_row NAME BYTES LAB ARGUMENT…, BYTES being
# those that an iteration must move, per grid point.
solve_row() {
  local name=$1 bytes=$2 lab=$3 said
  shift 3
  said=$("$(lab_program "$lab" "$device")" "$@" --nx "$convergence_nx" --history "$out/part.csv") || die "$name failed: $said"
  sed 1d "$out/part.csv" | sed "s/^[^,]*,/$name,/" >>"$out/history.csv"
  rm "$out/part.csv"
  sed -n 's/.* after \([0-9]*\) [a-z]*\(, \([0-9.]*\) ms\)*$/\1 \3/p' <<<"$said" | head -n 1 |
    LC_ALL=C awk -v name="$name" -v bytes="$bytes" -v n="$convergence_nx" \
      '{ printf "%-28s%12d%12s%12s\n", name, $1, bytes ? sprintf("%.1f", $1 * bytes * n * n / 1e6) : "-", $2 == "" ? "host" : $2 }'
}

convergence_nx=66

has_lab_6() { [[ -f $root/solutions/06_pcg/pcg.cu ]]; }

# run_convergence OUT: histories of all solvers to 1e-6 in one picture, and what each took.
run_convergence() {
  local out=$1 omega
  rm -rf "$out"
  mkdir -p "$out"
  echo method,iteration,relative_residual >"$out/history.csv"
  printf '\nTo a relative residual of 1e-6: f = 1, %d x %d points, double. Times: %s.\n' "$convergence_nx" "$convergence_nx" \
    "$([[ $device == gpu ]] && echo measured || echo 'model of an NVIDIA H200')"
  printf '%-28s%12s%12s%12s\n' method iterations 'MB moved' ms
  solve_row Jacobi 0 06_pcg --method jacobi
  # a residual after every sweep, as CG has one after every iteration: counts are exact and times compare
  solve_row Gauss-Seidel 32 05_sor_omega solve --omega 1 --check-every 1
  for omega in 1.5 1.8 1.9; do
    solve_row "SOR $omega" 32 05_sor_omega solve --omega "$omega" --check-every 1
  done
  solve_row 'SOR optimal' 32 05_sor_omega solve --check-every 1
  solve_row CG 64 06_pcg --method fused
  solve_row 'red-black SSOR-PCG' 152 06_pcg --method pcg --omega 1
  solve_row 'reduced CG' 32 06_pcg --method reduced
  solve_row 'natural-order SSOR-PCG' 0 06_pcg --method natural
  plot_kit convergence.py "$out/history.csv" "$out/convergence.png"
}

convergence_targets() { ! has_lab_6 || printf '%s\n' "solutions_05_sor_omega_$device" "solutions_06_pcg_$device"; }

# What run and bench need.
prepare() {
  local targets
  need_nvcc
  need "${compilers[@]}"
  want 'no pictures without Matplotlib' matplotlib
  [[ -f $build/CMakeCache.txt ]] || say 'first build, this takes about a minute'
  readarray -t targets < <({ ladder_targets sim && ladder_targets "$device" && convergence_targets; } | sort -u)
  build_or_die "solutions_01_stencil_$device" simgpu-device "${targets[@]}"
  cd "$root" || exit 2
}

command_run() {
  parse_device "$(has_gpu && echo gpu || echo sim)" "$@"
  prepare
  run_stencil results/01_stencil
  run_ladder results/ladder 5
  ! has_lab_6 || run_convergence results/convergence
  printf 'wrote %s\n' results/01_stencil results/ladder
  ! has_lab_6 || echo 'wrote results/convergence'
}

# Lab 06 against CuPy, N = 4096.
bench_pcg() {
  printf '\nConjugate gradients, lab 06, and CuPy:\n'
  "$(lab_program 06_pcg gpu)" table --repeats 5 --csv "$out/06_pcg.table.csv"
  "$(lab_program 06_pcg gpu)" --method fused --nx 4096
  "$(lab_program 06_pcg gpu)" --method reduced --nx 4096
  python3 "$ladder/cupy_cg.py" 4096
}

command_bench() {
  takes_nothing bench "$@"
  has_gpu || die "bench: nvidia-smi finds no GPU; ./kit run shows the times of a modelled one"
  device=gpu
  prepare
  local out=results/bench
  run_ladder "$out" 11
  printf '\nA u, lab 01:\n'
  "$(lab_program 01_stencil gpu)" table --sizes "$(measured_sizes)" --repeats 5 --csv "$out/01_stencil.table.csv"
  if [[ -f $root/solutions/04_split_layout/split_layout.cu ]]; then
    printf '\nSGEMM, lab 04:\n'
    "$(lab_program 04_split_layout gpu)" sgemm-table --sizes 4096,8192 --repeats 5 --csv "$out/sgemm.csv"
  fi
  ! has_lab_6 || bench_pcg
  printf 'wrote %s\n' "$out"/*.csv
}
