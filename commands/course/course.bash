# Sourced by ./kit for the commands of the course: hint, next, watch, lab, plot.
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit

course=$root/commands/course

# part_of_item 04 split_bytes: the part that the rubric gives this item; another name stays as it is.
part_of_item() {
  local part
  part=$(sed -n "s|.*id = \"$1/$2\".* part = \([0-9]*\).*|\1|p" "$root/grading/rubric/$1.cfg" 2>/dev/null) || true
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

# Prints the suite's line for the first part of a lab that does not pass; prints nothing if all pass.
first_failure() {
  local said status=0
  said=$( (command_check "$1") 2>&1) || status=$?
  grep -m 1 -E ' (failed|partly|remark|suspect|not written yet): |error|does not compile' <<<"$said" || ((status < 2)) ||
    die "next: cannot check $1: $(tail -n 1 <<<"$said" | sed 's/^kit: //')"
}

todo_line() { # todo_line FILE N: the line number of TODO(N)
  grep -n -m 1 "TODO($2)" "$1" | cut -d: -f1
}

command_next() {
  takes_nothing next "$@"
  local lab number failure part file line
  for lab in $(lab_names); do
    [[ -f $root/grading/suites/suite_$lab.c ]] || continue
    failure=$(first_failure "$lab") || exit
    [[ -n $failure ]] || continue
    number=${lab%%_*} file=${students_labs#"$root/"}/$lab/${lab#*_}.cu part=${failure%% *}
    printf 'next: %s\n' "$failure"
    if [[ $failure =~ TODO\(([0-9]+)\) ]]; then
      line=$(todo_line "$students_labs/$lab/${lab#*_}.cu" "${BASH_REMATCH[1]}")
      printf '  write  %s:%s\n  hint   ./kit hint %s %s\n' "$file" "$line" "$number" "${BASH_REMATCH[1]}"
    else
      printf '  fix    %s\n  hints  ./kit hint %s\n' "$file" "$number"
    fi
    [[ $part != "$number"/* ]] || printf '  check  ./kit check %s\n' "$part"
    return
  done
  echo "nothing to do: your labs pass all checks"
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

command_lab() {
  [[ $# -gt 0 ]] || die "lab: which lab? one of: $(lab_names)"
  local lab device=sim
  lab=$(lab_folder "$1") || die "lab: no lab '$1'; the labs are: $(lab_names)"
  shift
  if [[ ${1-} == --device ]]; then
    parse_device sim "${@:1:2}"
    shift 2
  fi
  need_nvcc
  need "${compilers[@]}"
  make_targets "labs_${lab}_$device" || die "labs/$lab does not compile yet"
  exec "$build/labs/$lab/${lab#*_}.$device" "$@"
}

# The scripts of commands/plot, each with the first line of its docstring. Shared modules have another form of docstring.
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
  MPLCONFIGDIR=$build/matplotlib "$python" -B "$root/commands/plot/$name.py" "${@:2}"
}
