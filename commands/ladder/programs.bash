# Sourced by run.bash: builds the lab programs of one tree, labs or solutions, and runs them in parallel as jobs. Each
# job has an outcome: empty, or the reason why there are no figures.
# shellcheck shell=bash disable=SC2154 # root, build, device, tree, ladder, scratch: set by ./kit and run.bash

job_limit=120 # seconds of CPU time: the slowest rung takes about 10
declare -A not_compiled=() # lab: the compiler's first error

has_lab() { # has_lab LAB: looks in this copy of the kit, or in the folder $CHECKERBOARD_LABS
  local folder=$root/$tree
  [[ $tree != labs ]] || folder=${labs:-$folder}
  [[ -f $folder/$1/${1#*_}.cu ]]
}

lab_program() { echo "$build/$tree/$1/${1#*_}.$2"; } # lab_program LAB DEVICE

# The devices whose programs run: counters always come from the simulated GPU.
devices() { printf '%s\n' sim "$device" | uniq; }

lab_targets() { # lab_targets LAB...
  local lab
  for lab; do
    devices | sed "s/^/${tree}_${lab}_/"
  done
}

first_error() { # prints the compiler's first error, without the name of this tree
  local said
  said=$(cat)
  { grep -m 1 -E 'error|undefined reference' <<<"$said" || head -n 1 <<<"$said"; } | sed "s|$root/||g"
}

# build_programs LAB...: a student's lab that does not compile goes into not_compiled; everything else must compile.
build_programs() {
  local own=(simgpu-device ladder_expected) targets lab
  readarray -t targets < <(lab_targets "$@")
  if [[ $tree == solutions ]]; then
    build_or_die "${own[@]}" "${targets[@]}"
    return
  fi
  try_targets "${own[@]}" "${targets[@]}" && return
  build_or_die "${own[@]}"
  for lab; do
    readarray -t targets < <(lab_targets "$lab")
    try_targets "${targets[@]}" || not_compiled[$lab]=$(build_errors "$build/kit.log" 2>&1 | first_error)
  done
}

# job NAME LAB [VARIABLE=VALUE]... PROGRAM ARGUMENT...: queues a job unless its lab does not compile. LAB is - for none.
job() {
  [[ -z ${not_compiled[$2]-} ]] || return 0
  { printf '%q ' "$ladder/job.bash" "$scratch" "$job_limit" "$1" "${@:3}" && echo; } | tee -a "$scratch/queue" >>"$scratch/all_jobs"
}

run_jobs() { # run_jobs AT_ONCE: runs the queued jobs; measured times need AT_ONCE 1
  [[ -s $scratch/queue ]] || return 0
  # shellcheck disable=SC2016 # the inner shell expands it
  xargs -d '\n' -n 1 -P "$1" bash -c 'eval "$1"' _ <"$scratch/queue" || exit 2
  rm "$scratch/queue"
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

unwritten() { echo "not written yet (lab ${1%%_*}, part $2): ./kit next"; } # unwritten LAB PART

look_at() { if [[ $tree == labs ]]; then echo "./kit check ${1%%_*}"; else echo "see $tree/$1"; fi; }

# outcome NAME LAB: prints the outcome of a job
outcome() {
  local said=$scratch/$1 status
  if [[ -n ${not_compiled[$2]-} ]]; then
    echo "lab ${2%%_*} does not compile"
    return
  fi
  status=$(<"$said.status")
  case $status in
    0) ;;
    3) unwritten "$2" "$(sed -n 's/.*TODO(\([0-9]*\)).*/\1/p' "$said.err" | head -n 1)" ;;
    124) echo "stopped after $job_limit s of CPU time: $(look_at "$2")" ;;
    *) echo "failed: $(cat "$said.err" "$said.out" | head -n 1): $(look_at "$2")" ;;
  esac
}

# note TABLE NAME OUTCOME: adds a row to the outcomes, which figures_table.awk prints.
note() { printf '%s\t%s\t%s\n' "$@" >>"$scratch/outcomes"; }

# has_figures TABLE NAME: true if its outcome is empty.
has_figures() { grep -qx "$1"$'\t'"$2"$'\t' "$scratch/outcomes"; }
