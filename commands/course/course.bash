# Sourced by ./kit for the commands of the course: hint, next, watch, lab, plot; measure and reset use it, too.
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit

# shellcheck source=commands/course/check.bash
source "$root/commands/course/check.bash"

course=$root/commands/course

# part_of_item 04 split_bytes: the part that the rubric gives this item; another name stays as it is.
part_of_item() {
  local part
  part=$(rubric_items "$1" | awk -F'\t' -v id="$1/$2" '$1 == id { print $3 }')
  echo "${part:-$2}"
}

command_hint() {
  [[ $# -gt 0 ]] || die "hint: which lab? one of: $(lab_names)"
  [[ $# -le 3 ]] || die "hint: expected LAB [PART [LEVEL]], got '$*'"
  local wanted=$1 lab part=${2-} level=${3-1}
  lab=$(lab_folder "${wanted%%/*}") || die "hint: no lab '${wanted%%/*}'; the labs are: $(lab_names)"
  [[ $wanted != */* ]] || part=${wanted#*/} level=${2-1}
  [[ $level =~ ^[1-9]$ ]] || die "hint: level '$level': expected 1 to 9"
  [[ -f $root/labs/$lab/HINTS.md ]] || die "hint: labs/$lab has no HINTS.md"
  [[ $wanted != */* ]] || part=$(part_of_item "${lab%%_*}" "$part")
  awk -v wanted="$part" -v level="$level" -v lab="${lab%%_*}" -f "$course/hint.awk" "$root/labs/$lab/HINTS.md" || exit 2
}

# What a check of the lab says. The build comes first: its progress must not be swallowed.
said_by_check() {
  # shellcheck disable=SC2034 # for parse_check and run_check
  local said status=0 lab item='' device=sim report='' by_suite='' keeps_attempts=''
  parse_check "$1"
  prepare_check
  said=$( (run_check) 2>&1) || status=$?
  ((status < 2)) || die "next: cannot check $1: $(tail -n 1 <<<"$said" | sed 's/^kit: //')"
  printf '%s\n' "$said"
}

# The line of the first part that does not pass, without those of a bonus; with BONUS, only those.
first_failure() { # first_failure WHAT_A_CHECK_SAYS [BONUS]
  if [[ -n ${2-} ]]; then
    grep -m 1 -E ' (failed|partly|suspect|not written yet) \(bonus\)' <<<"$1"
  else
    grep -m 1 -E ' (failed|partly|remark|suspect|not written yet): |error|does not compile' <<<"$1"
  fi || true
}

todo_line() { # todo_line FILE N: the line number of TODO(N)
  awk -f "$root/commands/course/blocks.awk" -f /dev/stdin "$1" <<<"block_mark(\$0, \"TODO\") == $2 { print FNR; exit }"
}

print_failure() { # print_failure LAB LINE
  local lab=$1 number=${1%%_*} failure=$2 file hint part=${2%% *} line=''
  file=${students_labs#"$root/"}/$lab/${lab#*_}.cu
  printf 'next: %s\n' "$failure"
  if [[ $failure =~ TODO\(([0-9]+)\) ]]; then
    line=$(todo_line "$students_labs/$lab/${lab#*_}.cu" "${BASH_REMATCH[1]}") || true
    printf '  write  %s%s\n  hint   ./kit hint %s %s\n' "$file" "${line:+:$line}" "$number" "${BASH_REMATCH[1]}"
  else
    hint=$(part_of_item "$number" "${part#*/}")
    [[ $hint =~ ^[0-9]+$ ]] || hint=''
    printf '  fix    %s\n  hints  ./kit hint %s%s\n' "$file" "$number" "${hint:+ $hint}"
  fi
  [[ $part != "$number"/* ]] || printf '  check  ./kit check %s\n' "$part"
}

# A bonus is named only when no other part is left.
command_next() {
  (($# <= 1)) || die "next: expected at most one LAB, got '$*'"
  local lab labs said failure bonus='' bonus_lab='' passed='your labs pass'
  labs=$(lab_names)
  if [[ -n ${1+x} ]]; then
    labs=$(lab_folder "$1") || die "next: no lab '$1'; the labs are: $(lab_names)"
    passed="lab ${labs%%_*} passes"
  fi
  for lab in $labs; do
    [[ -f $root/grading/suites/suite_$lab.c ]] || continue
    said=$(said_by_check "$lab") || exit
    failure=$(first_failure "$said")
    if [[ -n $failure ]]; then
      print_failure "$lab" "$failure"
      return
    fi
    [[ -n $bonus ]] || { bonus=$(first_failure "$said" bonus) && bonus_lab=$lab; }
  done
  if [[ -z $bonus ]]; then
    echo "nothing to do: $passed all checks"
  else
    echo "$passed all checks; a bonus is left"
    print_failure "$bonus_lab" "$bonus"
  fi
}

# Checksums of the watched files: the output changes when a file is saved.
snapshot() { cksum "$students_labs/$1"/*.cu "$root/labs/$1"/*.h; }

command_watch() {
  [[ $# -gt 0 ]] || die "watch: which lab? one of: $(lab_names)"
  local lab seen='' now
  lab=$(lab_folder "${1%%/*}") || die "watch: no lab '${1%%/*}'; the labs are: $(lab_names)"
  say "watching labs/$lab; Ctrl-C stops"
  while sleep 0.5; do
    now=$(snapshot "$lab")
    [[ $now != "$seen" ]] || continue
    seen=$now
    printf '\n%s\n' "$(date +%T)"
    (command_check "$@") || true
  done
}

# Options of the judge's programs alone (grading/judged_programs): a check prints them where it says how to
# repeat a run.
judges_option=' --(calls|dot|earlier|heap|inv-h2|last-rows|pack|wider)[ =]'

command_lab() {
  [[ $# -gt 0 ]] || die "lab: which lab? one of: $(lab_names)"
  local lab device=sim program=labs kind
  lab=$(lab_folder "$1") || die "lab: no lab '$1'; the labs are: $(lab_names)"
  shift
  if [[ ${1-} == --device ]]; then
    parse_device sim "${@:1:2}"
    shift 2
  fi
  need_nvcc
  need "${compilers[@]}"
  export SIMGPU_DEVICES=${SIMGPU_DEVICES-8} # for lab 08; the others use the first one
  kind=$device
  [[ -z ${SIMGPU_BREAK-} || $device != sim ]] || kind=named # compiled with -G: breakpoints know the variables
  [[ ! " $* " =~ $judges_option ]] || program=judged/labs kind=$device
  make_targets "${program/\//_}_${lab}_$kind" || die "labs/$lab does not compile yet"
  exec "$build/$program/$lab/${lab#*_}.$kind" "$@"
}

# The scripts of commands/plot, each with the first line of its docstring. Shared modules have another
# form of docstring.
pictures() { sed -sn '2{s/"""$//;s/^"""\([a-z]*\)\.py \(.*\)/  \1 \2/p}' "$root"/commands/plot/*.py; }

command_plot() {
  if (($# == 0)); then
    pictures
    return
  fi
  local name=${1%.py} python
  [[ $(pictures) == *"  $name "* ]] || die "plot: no picture '$1'; ./kit plot lists the pictures"
  need matplotlib
  python=$(find_plot_python)
  draw "$python" "$name" "${@:2}"
}

draw() { # draw PYTHON PICTURE FILES...
  MPLCONFIGDIR=$build/matplotlib "$1" -B "$root/commands/plot/$2.py" "${@:3}"
}
