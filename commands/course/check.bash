# Sourced by ./kit for `./kit check`: points for an item or a lab. watch and progress use parts of it.
# shellcheck shell=bash disable=SC2154 # root, build, compilers, students_labs: set by ./kit


known_item() { # known_item LAB NAME: dies if the lab has no such item, and names one with almost the same letters
  local name least=3 count best='' names
  names=$(item_names "$1")
  for name in $names; do
    [[ $name != "$2" ]] || return 0
    changes "$2" "$name"
    ((count >= least)) || best=$name least=$count
  done
  [[ -n $names ]] || return 0
  [[ -z $best ]] || die "check: lab ${1%%_*} has no item '$2': did you mean ${1%%_*}/$best?"
  die "check: lab ${1%%_*} has no item '$2': expected one of $(tr '\n' ' ' <<<"$names" | sed 's/ $//')"
}

parse_check() { # parse_check ARGUMENT...: sets lab, item, device and report
  local wanted words=() options=()
  while (($#)); do
    case $1 in
      --report) report=1 ;;
      --device)
        options+=("$1" "${2-}")
        (($# == 1)) || shift
        ;;
      --*) options+=("$1") ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  ((${#words[@]})) || die "check: which lab? one of: $(lab_names)"
  wanted=${words[0]}
  [[ $wanted == */* || ${#words[@]} -ne 2 ]] || wanted+=/${words[1]} # check 01 naive
  [[ $wanted == "${words[*]}" || $wanted == "${words[0]-}/${words[1]-}" ]] || die "check: expected one lab or one item, got '${words[*]}'"
  lab=$(lab_folder "${wanted%%/*}") || no_lab check "${wanted%%/*}"
  if [[ $wanted == */* ]]; then
    known_item "$lab" "${wanted#*/}"
    item=${lab%%_*}/${wanted#*/}
  fi
  parse_device sim "${options[@]}"
  [[ -z $report || $device == sim ]] || die "check: --report with --device gpu: expected --device sim, which counts for the page"
  [[ -f $students_labs/$lab/${lab#*_}.cu ]] ||
    die "check: $students_labs/$lab/${lab#*_}.cu is missing: restore it from your repository or from the original kit"
  warn_of_changed_files "$lab"
}

# Sets by_suite if points cannot be computed.
prepare_check() {
  by_suite=''
  need_nvcc
  need "${compilers[@]}" pkg-config check
  if [[ $device == gpu || ! -f $root/grading/rubric/${lab%%_*}.cfg ]] || ! can_grade; then
    by_suite=1
    [[ -z $report ]] || die 'check: --report: a page needs points, which need jansson, libconfig and nettle'
  else
    build_or_die grade "suite_$lab" "${lab}_judged"
  fi
}

# The file that records a student's checks. Status 1 in a kit for several people, and in the kit itself.
progress_file() {
  local parent
  [[ -f $root/.kit/manifest && -z ${CHECKERBOARD_LABS-} ]] && parent=$(results_parent 2>/dev/null) &&
    mkdir -p "$parent/results" 2>/dev/null && echo "$parent/results/progress.csv"
}

run_check() {
  if [[ -n $by_suite ]]; then
    check_by_suite "$lab" "$device" ${item:+"$item"}
    return
  fi
  local status=0 folder='' file options=()
  if [[ -n $report ]]; then
    folder=$(results_parent)/results/${lab%%_*}
    mkdir -p "$folder"
    rm -f "$folder/report.html"
    options+=(--format html --out "$folder")
  fi
  [[ -z $keeps_attempts ]] || ! file=$(progress_file) || options+=(--attempts "$file")
  "$build/grading/grade" check --lab "$lab${item:+/${item#*/}}" "${options[@]}" "$students_labs" || status=$?
  if [[ -n $folder && -f $folder/report.html ]]; then
    echo "report: $folder/report.html"
    open_page "$folder/report.html"
  fi
  return "$status"
}

open_page() { # open_page FILE: shows it in a browser, if there is a display
  local tool
  [[ -n ${DISPLAY-}${WAYLAND_DISPLAY-} ]] || return 0
  for tool in xdg-open open; do
    if has "$tool"; then
      ("$tool" "$1" >/dev/null 2>&1 &)
      return
    fi
  done
}

command_check() {
  local lab item='' device=sim report='' by_suite='' keeps_attempts=1
  parse_check "$@"
  prepare_check
  run_check
}

can_grade() {
  want "without jansson, libconfig and nettle, points and counters are skipped" jansson libconfig nettle
  present jansson && present libconfig && present nettle
}

check_by_suite() { # check_by_suite LAB DEVICE [NAME]: reports right or wrong, without points
  build_or_die "suite_$1" "${1}_judged" simgpu-device
  if ! make_targets "judged_labs_${1}_$2"; then
    say "labs/$1 does not compile yet"
    exit 1
  fi
  local options=()
  [[ $2 == sim ]] || options=(--gpu)
  "$build/grading/suites/suite_$1" --program "$(echo "$build/judged/labs/$1"/*."$2")" "${options[@]}" "${@:3}"
}
