# Sourced by ./kit for `./kit handout`.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

command_handout() {
  [[ $# -eq 1 ]] || die "handout: expected a new folder, got '$*'"
  [[ ! -e $1 ]] || die "handout: $1 exists: expected a new folder"
  git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1 || die "handout: $root is no git repository"
  mkdir -p "$1"
  git -C "$root" ls-files -z -- . ':!solutions' ':!grading/mutants' |
    tar -c -C "$root" --null --files-from=- | tar -x -C "$1"
  local rubric
  for rubric in "$1"/grading/rubric/*.cfg; do
    awk -f "$root/grading/rubric/public.awk" "$root/grading/rubric/${rubric##*/}" >"$rubric"
  done
}
