# Sourced by ./kit for `./kit progress`: shows what the checks of a student's copy have recorded.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

# shellcheck source=commands/course/check.bash
source "$root/commands/course/check.bash"

command_progress() {
  (($# <= 1)) || die "progress: expected at most one LAB, got '$*'"
  local lab='' file
  [[ -z ${1-} ]] || lab=$(lab_folder "$1") || no_lab progress "$1"
  if ! file=$(progress_file); then
    [[ -f $root/.kit/manifest && -z ${CHECKERBOARD_LABS-} ]] ||
      die "progress: this kit keeps no checks: expected a student's copy, made by ./kit handout"
    die "progress: the folder $( (results_parent) 2>/dev/null || echo "$root")/results cannot be written, so no checks are kept"
  fi
  if [[ ! -f $file ]]; then
    echo 'no checks yet: ./kit check 01 is the first'
    return
  fi
  rubric_items | LC_ALL=C awk -v labs="$(lab_names)" -v wanted="$lab" -f "$root/commands/plot/csv.awk" -f "$root/commands/plot/table.awk" \
    -f "$root/commands/course/progress.awk" - "$file"
}
