#!/usr/bin/env bash
# Removes hidden items and tests from a student's copy of the kit: hide.bash DIR
# It removes the items with public = false from the rubrics, their tests from the suites (grading/suites/public.awk),
# and grading/suites/hidden. Exit status: 0 done, 2 refused, with one line and an unchanged DIR.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

die() {
  printf 'handout: %s\n' "$*" >&2
  exit 2
}

[[ $# -eq 1 && -d $1/grading/rubric ]] || die "expected a copy of the kit, got '$*'"
copy=$1

public_rubric() { awk -v public_part=1 -f "$root/grading/rubric/items.awk" "$1"; }
hidden_ids() { awk -f "$root/grading/rubric/items.awk" "$1" | awk -F'\t' '$6 == "false" { print $1 }'; }

public_suite() { awk -v hidden="$2" -f "$root/commands/handout/c_code.awk" -f "$root/grading/suites/public.awk" "$1"; }

# public_suites NUMBER IDS: the suites of a lab as students get them.
public_suites() {
  local suite
  for suite in "$root/grading/suites/suite_$1"_*.c; do
    public_suite "$suite" "$2"
  done
}

# A public item that depends on a hidden one would reveal it.
refuse_needed() { # refuse_needed RUBRIC
  local id
  for id in $(hidden_ids "$1"); do
    ! public_rubric "$1" | grep -F "\"$id\"" >/dev/null ||
      die "${1#"$root/"}: $id is hidden, but a public item names it in needs or time: hide both or neither"
    ! public_suites "$(basename "$1" .cfg)" "$id" | grep -F "\"$id\"" >/dev/null ||
      die "${1#"$root/"}: $id is hidden, but the tests of a public item wait for it: hide both or neither"
  done
}

hide_lab() { # hide_lab NUMBER
  local rubric=grading/rubric/$1.cfg suites=grading/suites suite ids id
  ids=$(hidden_ids "$root/$rubric" | xargs)
  public_rubric "$root/$rubric" >"$copy/$rubric"
  for suite in "$root/$suites/suite_$1"_*.c; do
    public_suite "$suite" "$ids" >"$copy/$suites/${suite##*/}"
  done
  for id in $ids; do
    sed -i "s# $id=[0-9]*##" "$copy/$suites/CMakeLists.txt"
  done
}

for rubric in "$root"/grading/rubric/*.cfg; do
  refuse_needed "$rubric"
done
for rubric in "$root"/grading/rubric/*.cfg; do
  hide_lab "$(basename "$rubric" .cfg)"
done
rm -rf "$copy/grading/suites/hidden"
