#!/usr/bin/env bash
# Checks that a student's copy of the kit contains no answers: leaks.bash DIR [NVCC]
# Prints one line for each leak. Exit status: 0 no leak, 1 some leaks, 2 not checked. Leaks are
#   - files of solutions/, instructor/ and grading/mutants/, hidden tests and hidden items of the rubrics;
#   - answers in text (answers.awk): in sources, headers and documents;
#   - answers as kernels (kernels.awk, same_kernels.awk): the compiled .cu files of the copy, and its .ptx files.
# The reference in plain C, common/poisson, and the suites compute the same results as the answers. Their statements are
# compared with the answers, too, but a .c file may contain a formula.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

die() {
  printf 'leaks: %s\n' "$*" >&2
  exit 2
}

[[ $# -eq 1 || $# -eq 2 ]] || die "expected a copy of the kit and at most a compiler, got '$*'"
[[ -d $1/labs ]] || die "$1: expected a copy of the kit, with a folder labs"
copy=$(cd "$1" && pwd)
nvcc=${2:-nvcc}
command -v "$nvcc" >/dev/null || die "$nvcc: no such command; expected nvcc"
[[ -d $root/solutions && -d $root/grading/mutants ]] || die "$root has no solutions and mutants to compare with"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Files, by name and by content.

# Files of the copy, without build outputs.
files() { (cd "$copy" && find . \( -path ./build -o -name .git \) -prune -o -type f \( "$@" \) -printf '%P\n'); }

# in_copy COMMAND…: runs it on the files that standard input names. Without a match grep returns 1, and xargs 123.
in_copy() { (cd "$copy" && xargs -d '\n' "$@") || (($? == 123)); }

secrets=(solutions)
for folder in instructor grading/mutants grading/mutants_wanted grading/variants; do
  [[ ! -d $root/$folder ]] || secrets+=("$folder")
done

named_files() {
  local folder
  for folder in "${secrets[@]}" grading/suites/hidden; do
    [[ ! -e $copy/$folder ]] || (cd "$copy" && find "$folder" -type f -printf '%p: is not for students\n')
  done
}

same_files() {
  [[ ! -d $root/grading/suites/hidden ]] || secrets+=(grading/suites/hidden)
  (cd "$root" && find "${secrets[@]}" -type f -exec sha256sum {} +) >"$work/secrets"
  files -size +0 | in_copy sha256sum |
    awk 'NR == FNR { secret[$1] = $2; next }
         ($1 in secret) && $2 != secret[$1] { print $2 ": is " secret[$1] }' "$work/secrets" -
}

# Hidden items: their ids in rubrics and suites, and the names of their tests. Handouts may name an item.

find_words() { # find_words WHAT: finds each line of standard input in the copy
  local word
  while read -r word; do
    files -path './grading/rubric/*' -o -path './grading/suites/*' | in_copy grep -nHwF -- "$word" |
      sed -E "s/^([^:]*:[0-9]+):.*/\1: names the hidden ${1//\//\\/} ${word//\//\\/}/"
  done
}

# Tests that only hidden items use, and tests in the hidden folder.
hidden_tests() {
  awk 'ids { hidden[$1]; next }
       { while (match($0, /\{"[^"]*", &[A-Za-z0-9_]+/)) {
           split(substr($0, RSTART, RLENGTH), word, /[{"&]/)
           $0 = substr($0, RSTART + RLENGTH)
           tests[word[5]]
           if (!(word[3] in hidden)) public[word[5]]
         } }
       END { for (test in tests) if (!(test in public)) print test }' \
    ids=1 "$work/hidden" ids=0 "$root"/grading/suites/suite_[0-9]*.c
  find "$root/grading/suites" -path '*/hidden/*.c' -exec sed -n 's/^START_TEST(\([A-Za-z0-9_]*\)).*/\1/p' {} +
}

hidden_items() {
  local rubric
  for rubric in "$root"/grading/rubric/*.cfg; do
    awk -f "$root/grading/rubric/items.awk" "$rubric" | awk -F'\t' '$6 == "false" { print $1 }'
  done >"$work/hidden"
  find_words item <"$work/hidden"
  hidden_tests | sort | find_words test
}

# Text.

texts() {
  local documents answers
  (cd "$root" && tar -c solutions) | tar -x -C "$work" # so that messages name solutions/…
  answers=("$work"/solutions/*/*.cu)
  mapfile -t documents < <(files ! -name '*.ptx' ! -name '*.csv' ! -name LICENSE | in_copy grep -Il . | sort)
  cd "$copy"
  awk -f "$here/../course/blocks.awk" -f "$here/c_code.awk" -f "$here/answers.awk" given=1 "$here/given_formulas" given=0 answers=1 "${answers[@]}" \
    answers=0 "${documents[@]}" | sed "s|$work/||"
}

# Kernels.

includes() { printf -- '-I%s\n' "$1/common/support" "$1/common/poisson" "$1"/labs/*/; }

# compile TREE FILE: prints its kernels.
compile() {
  local ptx flags
  mapfile -t flags < <(includes "$1")
  ptx=$(mktemp -p "$work")
  "$nvcc" -ptx -arch=compute_80 -fmad=false -w -x cu -I"$(dirname "$1/$2")" "${flags[@]}" "$1/$2" -o "$ptx" \
    2>"$ptx.log" || {
    printf 'leaks: %s does not compile: %s\n' "$2" "$(head -n 1 "$ptx.log")" >&2
    return 1
  }
  awk -f "$here/kernels.awk" "$ptx"
}

# kernels ROLE TREE FILE
kernels() {
  local role=$1 out
  out=$work/$role.${3//\//@}.kernels
  if [[ $3 == *.ptx ]]; then
    awk -f "$here/kernels.awk" "$2/$3"
  else
    compile "$2" "$3"
  fi | sed "s|^|$role\t$3\t|" >"$out"
}

export -f compile kernels includes
export here work nvcc

# Skeletons of the copy that are those of this tree, with the same headers: they have the same kernels.
unchanged_labs() {
  local tree file
  for tree in "$root" "$copy"; do
    (cd "$tree" && find common/support common/poisson labs -name '*.h' -exec sha256sum {} +)
  done | sort | uniq -u | grep . >/dev/null && return
  (cd "$copy" && for file in labs/*/*.cu; do ! cmp -s "$file" "$root/$file" || echo "$file"; done)
}

same_kernels() {
  local file
  unchanged_labs >"$work/unchanged"
  {
    (cd "$root" && printf '%s\n' solutions/*/*.cu) | sed "s|^|answer\n$root\n|"
    (cd "$root" && printf '%s\n' labs/*/*.cu) | sed "s|^|given\n$root\n|"
    files -name '*.cu' -o -name '*.cuh' -o -name '*.ptx' |
      { grep -vxF -f "$work/unchanged" || true; } | sed "s|^|copy\n$copy\n|"
  } | xargs -d '\n' -n 3 -P "$(nproc)" bash -c 'set -eo pipefail; kernels "$@"' kernels || die 'not checked'
  while IFS= read -r file; do
    sed 's/^given/copy/' "$work/given.${file//\//@}.kernels" >"$work/copy.${file//\//@}.kernels"
  done <"$work/unchanged"
  cat "$work"/given.*.kernels "$work"/answer.*.kernels "$work"/copy.*.kernels |
    awk -f "$here/same_kernels.awk"
}

{
  named_files
  same_files
  hidden_items
  (texts)
  same_kernels
} >"$work/leaks"
cat "$work/leaks"
[[ ! -s $work/leaks ]]
