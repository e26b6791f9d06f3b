# awk -f blocks.awk -f own_text.awk SKELETON.cu FILE.cu: keeps the student's own lines of a file and makes all other
# lines empty, so line numbers stay. Between TODO(n) and END(n) these are all lines except the skeleton's placeholders.
# Elsewhere, and in a file without these marks, they are the lines that the skeleton does not have.

# Without // comments: they are not code, and the marks are not text of a student.
function code(line) {
  sub(/\/\/.*/, "", line)
  gsub(/[ \t\r]+/, " ", line)
  sub(/^ /, "", line)
  sub(/ $/, "", line)
  return line
}

FNR == 1 { inside = 0 }
block_mark($0, "TODO") || block_mark($0, "END") { inside = block_mark($0, "TODO") > 0 }
NR == FNR { given[inside, code($0)] = 1; next }
{ print ((inside, code($0)) in given) ? "" : code($0) }
