# Sourced by ./kit for `./kit progress`: shows what the checks of a student's copy have recorded.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

command_progress() {
  (($# <= 1)) || die "progress: expected at most one LAB, got '$*'"
  local lab='' file
  [[ -z ${1-} ]] || lab=$(lab_folder "$1") || die "progress: no lab '$1'; the labs are: $(lab_names)"
  file=$(progress_file) || die "progress: this kit keeps no checks: expected a student's copy, made by ./kit handout"
  if [[ ! -f $file ]]; then
    echo 'no checks yet: ./kit check 01 is the first'
    return
  fi
  LC_ALL=C awk -v labs="$(lab_names)" -v wanted="$lab" -f "$root/commands/plot/csv.awk" -f "$root/commands/plot/table.awk" \
    -f "$root/commands/course/progress.awk" "$root"/grading/rubric/[0-9][0-9].cfg "$file"
}
