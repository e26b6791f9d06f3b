# shellcheck shell=bash disable=SC2154,SC2034,SC2016 # case.bash sets with and kit, and reads submission
# Names with quotes, a shell's commands, newlines, options, and bytes that are not text. Each is the skeleton.
# with: COMMAND QUOTES NEWLINE OPTION BYTES LONG BIDI
# expect: UNWRITTEN WRONG MISSING
case $with in
  COMMAND) folder='$(touch x)`touch y`;touch z;' ;;
  QUOTES) folder="a'b\"c" ;;
  NEWLINE) folder=$'a\n::error::b' ;;
  OPTION) folder=--class ;;
  BYTES) folder=$'\xff\xc2\x9b2J\x1b[2J' ;;
  LONG) folder=$(printf 'x%.0s' {1..255}) ;;
  BIDI) folder=$'\u202eevil\u2066' ;;
esac
mkdir -- "$folder"
cp "$kit/labs/03_compressed/compressed.cu" "./$folder/"
submission=/tmp/handed_in/$folder
[[ $with != BYTES ]] || submission=/tmp/handed_in
