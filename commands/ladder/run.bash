# Sourced by ./kit for `./kit run` and `./kit bench`: shows lab 01's kernels, the ladder and the solvers' convergence of
# one tree, in tables and pictures. A table of labs also has the reference figures. ./kit COMMAND --help prints the
# lines below that begin with the command.
#
# run: --device sim|gpu       the device for the programs; default: the GPU if there is one
# run: --tree labs|solutions  the tree with the kernels; default: solutions, or labs if the kit has no solutions
# run: --save-reference       write the modelled figures of solutions into commands/ladder/reference.csv
# run: Writes results/figures.csv, results/01_stencil, results/ladder and results/convergence.
# run: Exit status: 0 all written parts are right, 1 a part is wrong or does not compile, 2 bad usage.
# bench: --tree labs|solutions  the tree with the kernels; default: solutions, or labs if the kit has no solutions
# bench: --save-reference       write the measured figures of solutions into commands/ladder/reference.csv
# bench: It needs a GPU and writes results/bench. Exit status: as for ./kit run.
# shellcheck shell=bash disable=SC2154 # root, build, device, compilers: set by ./kit

ladder=$root/commands/ladder
scratch=$build/ladder
# shellcheck source=commands/ladder/programs.bash
source "$ladder/programs.bash"
# shellcheck source=commands/ladder/figures.bash
source "$ladder/figures.bash"
# shellcheck source=commands/ladder/stencil.bash
source "$ladder/stencil.bash"
# shellcheck source=commands/ladder/rungs.bash
source "$ladder/rungs.bash"
# shellcheck source=commands/ladder/convergence.bash
source "$ladder/convergence.bash"

awk_kit() { # awk_kit SCRIPT ARGUMENT…
  LC_ALL=C awk -f "$root/commands/plot/csv.awk" -f "$root/commands/plot/table.awk" -f "$@"
}

picture() { # picture SCRIPT ARGUMENT…: queues a job named after the PNG file; skipped without Matplotlib
  local argument target=
  for argument; do
    [[ $argument != *.png ]] || target=${argument##*/}
  done
  plot_python=${plot_python-$(find_plot_python || true)} # found once
  [[ -z $plot_python ]] ||
    job "picture $target" - "MPLCONFIGDIR=$build/matplotlib" "$plot_python" -B "$root/commands/plot/$1" "${@:2}"
}

complain_about_pictures() {
  local status
  for status in "$scratch/picture "*.status; do
    [[ ! -f $status || $(<"$status") == 0 ]] || say "cannot draw $(basename "$status" .status): $(head -n 1 "${status%.status}.err")"
  done
}

default_tree() { if [[ -d $root/solutions ]]; then echo solutions; else echo labs; fi; }

parse_run() { # parse_run DEFAULT_DEVICE ARGUMENT...: sets device, tree and save
  local rest=("$1")
  tree=$(default_tree) save=
  shift
  while (($#)); do
    case $1 in
      --tree)
        [[ ${2-} == labs || ${2-} == solutions ]] || die "--tree: expected labs or solutions, got '${2-}'"
        tree=$2
        shift
        ;;
      --save-reference) save=1 ;;
      *) rest+=("$1") ;;
    esac
    shift
  done
  [[ -d $root/$tree ]] || die "--tree $tree: this copy of the kit has no $tree; use --tree labs"
  [[ -z $save || $tree == solutions ]] || die "--save-reference: expected --tree solutions, got $tree"
  parse_device "${rest[@]}"
}

# The labs of this tree whose programs run.
labs_to_run() {
  local lab
  for lab in 01_stencil $(rung_labs) 05_sor_omega 06_pcg; do
    ! has_lab "$lab" || echo "$lab"
  done
}

prepare() { # prepare LAB...: gets what run and bench need, and builds the programs of these labs
  need_nvcc
  need "${compilers[@]}"
  want 'without Matplotlib there are no pictures' matplotlib
  local parent
  build_programs "$@"
  parent=$(results_parent) || exit
  cd "$parent" || exit 2
  [[ $device == sim ]] || name_gpu
}

start() { # start FOLDER...: makes empty folders for results, and an empty scratch folder that this process removes
  rm -rf "$scratch" "$@"
  mkdir -p "$scratch" "$@"
  trap 'rm -rf "$scratch"' EXIT
  figures=$scratch/figures.csv
  echo "$figures_header" >"$figures"
  : >"$scratch/outcomes"
}

# Simulated programs run in parallel, measured ones one after the other.
climb_and_time() { # climb_and_time OUT SIZES REPEATS
  queue_expected
  queue_climb sim "$1"
  [[ $device == gpu ]] || return 0
  run_jobs "$(nproc)"
  queue_climb gpu "$1"
  queue_times "$2" "$3" "$1"
}

# Prints the first part to write, and the labs that do not compile. Returns 1 if a written part is wrong.
conclude() {
  local lab first status=0
  for lab in "${!not_compiled[@]}"; do
    say "lab ${lab%%_*} does not compile: ${not_compiled[$lab]}"
  done
  first=$(cut -f 3 "$scratch/outcomes" | grep -m 1 '^not written yet' || true)
  [[ ! $first =~ \((.*)\) ]] || printf '\nNext: %s is not written yet: ./kit next shows where\n' "${BASH_REMATCH[1]}"
  if cut -f 3 "$scratch/outcomes" | grep -v '^not written yet' | grep . >/dev/null; then
    status=1
  fi
  [[ $tree == labs || (-z $first && $status == 0) ]] || status=1
  return "$status"
}

jobs_at_once() { if [[ $device == gpu ]]; then echo 1; else nproc; fi; } # measured times need the GPU alone

# run_tables: computes and prints the three tables into results/ of the current folder.
run_tables() {
  first_table
  other_tables
}

first_table() {
  start results/01_stencil results/ladder results/convergence
  queue_stencil results/01_stencil
  run_jobs "$(jobs_at_once)"
  show_stencil results/01_stencil
}

other_tables() {
  climb_and_time results/ladder "$([[ $device == sim ]] || measured_sizes)" 5
  queue_convergence
  run_jobs "$(jobs_at_once)"
  show_ladder results/ladder
  show_convergence results/convergence
  cp "$figures" results/figures.csv
}

draw_pictures() {
  picture surface.py results/01_stencil/u.npy results/01_stencil/u.png
  queue_ladder_pictures results/ladder
  queue_convergence_picture results/convergence
  run_jobs "$(nproc)"
  complain_about_pictures
}

command_run() {
  local status=0 wanted
  parse_run "$(has_gpu && echo gpu || echo sim)" "$@"
  readarray -t wanted < <(labs_to_run)
  prepare "${wanted[0]}" # its table is there after half of the time of a first build
  first_table
  ((${#wanted[@]} == 1)) || build_programs "${wanted[@]:1}"
  other_tables
  draw_pictures
  conclude || status=$?
  [[ -z $save ]] || ((status)) || save_reference
  printf 'wrote %s\n' results/figures.csv results/01_stencil results/ladder results/convergence
  exit "$status"
}

# Lab 06 against CuPy, N = 4096.
bench_pcg() {
  local method
  job table.06_pcg 06_pcg "$(lab_program 06_pcg gpu)" table --repeats 5 --csv "$out/06_pcg.table.csv"
  for method in fused reduced; do
    job "$method" 06_pcg "$(lab_program 06_pcg gpu)" --method "$method" --nx 4096
  done
  job cupy - python3 "$ladder/cupy_cg.py" 4096
}

count_gpus() { nvidia-smi -L | grep -c '^GPU '; }
has_records() { [[ $tree == solutions && -d $root/commands/records ]]; }

# The kernels at the limit, which no lab teaches.
bench_records() {
  local program=$build/commands/records/records.gpu
  job records.fused - "$program" fused --sizes "512,1024,$sizes" --csv "$out/records.fused.csv"
  job records.sgemm - "$program" sgemm --csv "$out/records.sgemm.csv"
  job records.cg - "$program" cg --repeats 5 --csv "$out/records.cg.csv"
  job records.peers - python3 "$root/commands/records/peers.py"
  (($(count_gpus) > 1)) || return 0
  job several.sweeps - "$build/commands/records/several.gpu" sweeps --sizes 8192,16384,32768 --csv "$out/several.sweeps.csv"
  job several.cg - "$build/commands/records/several.gpu" cg --sizes 8192,16384,32768 --repeats 5 --csv "$out/several.cg.csv"
}

show_output() { # show_output TITLE JOB...: prints the programs' output; a program that did not compile has not run
  local job title=$'\n'$1$'\n'
  for job in "${@:2}"; do
    [[ -f $scratch/$job.status ]] || continue
    printf '%s' "$title"
    cat "$scratch/$job.out" "$scratch/$job.err"
    title=''
  done
}

command_bench() {
  local out=results/bench status=0 sizes wanted
  [[ " $* " != *' --device '* ]] || die "bench: unknown argument '--device': bench always uses the GPU"
  has_gpu || die "bench: nvidia-smi finds no GPU; ./kit run shows modelled times"
  parse_run gpu "$@"
  readarray -t wanted < <(labs_to_run)
  prepare "${wanted[@]}"
  ! has_records || build_or_die records_gpu several_gpu
  job_limit=600
  start "$out"
  sizes=$(measured_sizes)
  climb_and_time "$out" "$sizes" 11
  queue_stencil "$out"
  queue_stencil_times "$out" "$sizes"
  ! has_lab 04_split_layout ||
    job sgemm 04_split_layout "$(lab_program 04_split_layout gpu)" sgemm-table --sizes 4096,8192 --repeats 5 --csv "$out/sgemm.csv"
  ! has_lab 06_pcg || bench_pcg
  ! has_records || bench_records
  run_jobs 1
  show_ladder "$out"
  show_stencil_times "$out"
  show_output 'Lab 04: SGEMM, C = A B.' sgemm
  show_output 'Lab 06: conjugate gradients, beside CuPy.' table.06_pcg fused reduced cupy
  show_output 'At the limit: eight sweeps in one pass, SGEMM in steps, and CG with sweeps. commands/records explains them.' \
    records.fused records.sgemm records.cg records.peers
  show_output 'Several GPUs: sweeps, and iterations of reduced CG. commands/records/SEVERAL.md explains them.' several.sweeps several.cg
  cp "$figures" "$out/figures.csv"
  conclude || status=$?
  [[ -z $save ]] || ((status)) || save_reference
  printf 'wrote %s\n' "$out"/*.csv
  exit "$status"
}
