# Sourced by ./kit for `./kit calibrate`, which times solutions: a student's copy has none.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

# shellcheck source=commands/course/grade.bash
source "$root/commands/course/grade.bash"

command_calibrate() {
  has_gpu || die "calibrate: nvidia-smi finds no GPU; without one, grading uses counters only"
  command_grade calibrate "$@"
}
