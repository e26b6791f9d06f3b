# Blocks of a lab's file: from // TODO(n) to // END(n). Scripts know these marks from here alone, C programs from
# grading/lab_program/blocks.h; test_blocks compares the two.

# Returns n of the mark "// TODO(n)" or "// END(n)" in the line, else 0. word: "TODO" or "END".
function block_mark(line, word,    mark) {
  if (!match(line, "//[ \t]*" word "\\([0-9]+\\)"))
    return 0
  mark = substr(line, RSTART, RLENGTH)
  sub(/.*\(/, "", mark)
  return mark + 0
}

# Returns whether the line is one of an unwritten block: blank, a comment, "return n;" or another name,
# or its condition.
function block_placeholder(line) {
  return line ~ /^[ \t\r]*(\/\/.*|return [A-Za-z0-9_{}]*;|if \([^;{}]*\))?[ \t\r]*$/
}
