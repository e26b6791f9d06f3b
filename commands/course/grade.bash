# Sourced by ./kit for `./kit grade`: points for a submission or a class.
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit


# A file that holds no submission is a mistake in the command line, and no submission without points.
check_submission() { # check_submission ARGUMENT...
  local file=${*: -1}
  if [[ -f $file && ! $file =~ [.](cu|zip|tar|tgz|gz|xz|bz2|json)$ && " $* " != *' --lab '* && " $* " != *' --'[a-z]*" $file " ]]; then
    die "grade: $file is no submission: expected a lab's .cu file, a folder or an archive of them"
  fi
}

command_grade() {
  (($# == 0)) || check_submission "$@"
  need_nvcc
  need "${compilers[@]}" pkg-config check jansson libconfig nettle
  if [[ " $* " == *' --class '* ]]; then
    want 'without libarchive, archives are not read' libarchive
    want 'without bubblewrap and libseccomp, a class needs --isolation reduced' bubblewrap libseccomp
  fi
  build_or_die grading
  local status=0
  "$build/grading/grade" "$@" || status=$?
  [[ " $* " != *' --class '* ]] || draw_grades "$@"
  return "$status"
}

# Draws the picture of a class beside its summary.
draw_grades() {
  local out='' python kind
  while (($#)); do
    [[ $1 != --out ]] || out=${2-}
    shift
  done
  [[ -f $out/summary.csv ]] || return 0
  want 'without Matplotlib there is no picture of the class' matplotlib
  python=$(find_plot_python) || return 0
  for kind in png svg; do
    "$python" -B "$root/commands/plot/grades.py" "$out/summary.csv" "$out/grades.$kind"
  done
  printf 'wrote %s\n' "$out/summary.csv" "$out/grades.png" "$out/grades.svg"
}
