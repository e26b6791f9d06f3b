# shellcheck shell=bash disable=SC2034,SC2154 # the tests set and use them
# Functions of the tests of a class: they are called in an empty folder, and $grade, $sources, $here are set.

failures=0
# shellcheck source=commands/tests/skips.bash
source "$here/../../commands/tests/skips.bash"
# shellcheck source=grading/tests/few_items.bash
source "$here/few_items.bash"
few_items "$(dirname "$grade")/kit.cfg" >kit.cfg
installation=(--installation "$PWD/kit.cfg")
class_options=("${installation[@]}" --class class --lab 03 --isolation "${ISOLATION:-none}")

expect() { # expect WHAT COMMAND...
  local what=$1
  shift
  "$@" && return
  printf 'expected: %s\n' "$what"
  tail -n 5 ./*.log errors 2>/dev/null || true
  failures=$((failures + 1))
}

# make_class COUNT: one in fifty is a solution, one an unwritten lab; of the others a few do not compile, and the rest
# lack the file, which takes no time.
make_class() {
  local n name lab=03_compressed/compressed.cu
  rm -rf class
  mkdir class
  for ((n = 1; n <= $1; n++)); do
    name=$(printf 'class/s%03d' "$n")
    mkdir "$name"
    case $((n % 50)) in
      2) cp "$sources/solutions/$lab" "$name" ;;
      3) cp "$sources/labs/$lab" "$name" ;;
      *) ((n % 6 == 1)) && echo "#error $n" >"$name/compressed.cu" || echo '#error' >"$name/other.cu" ;;
    esac
  done
}

# collected OUT: every entry has its result, and the summary is that of one grading of the whole class.
collected() {
  "$grade" collect "${installation[@]}" --class class --lab 03 --out "$1" >collect.log 2>errors && cmp "$1/summary.csv" plain/summary.csv
}

# graded_once LOG...: no entry was graded by two of these gradings. A grading that was killed may have graded one
# without a line.
graded_once() {
  [[ -z $(grep -h '^\[' "$@" | grep -v '(graded before)$' | sed 's/^[^ ]* \(s[0-9]*\): .*/\1/' | sort | uniq -d) ]]
}

# one_seed OUT: all results have the seed of the class.
one_seed() { [[ $(grep -h '"seed"' "$1"/submissions/*/result.json | sort -u) == " \"seed\": $(cat "$1/seed")," ]]; }
