# Prints a lab's suite as students get it: awk -v hidden="03/index 03/once" -f c_code.awk -f public.awk
# suite_03_compressed.c. Leaves out the rows of hidden items in the table of tests, and the tests and functions that
# only these rows need.

BEGIN {
  count = split(hidden, word, " ")
  for (k = 1; k <= count; k++)
    is_hidden[word[k]]
}

{ take_line($0) }

END {
  for (n = 1; n <= items; n++)
    live[n] = name_of(n)
  mark()
  for (n = 1; n <= items; n++)
    if (live[n])
      printf "%s", text[n]
}

# An item is a directive or a definition at the top level of the file, with the comment and the empty lines above it.
function take_line(line,    bare) {
  if (line ~ /^ *\{"[^"]*", &/ && (line = public_rows(line)) == "")
    return
  if (line ~ /^\/\* --- .* --- \*\/$/ && names_hidden(line))
    return
  if (line == "END_TEST") {
    text[items] = text[items] line "\n"
    return
  }
  if (!begun) {
    items++
    begun = 1
  }
  text[items] = text[items] line "\n"
  bare = c_code(line)
  code[items] = code[items] bare "\n"
  depth += count_of(bare, "[{(]") - count_of(bare, "[})]")
  if (bare ~ /^#/ || continued)
    continued = bare ~ /\\$/
  if (depth == 0 && !continued && !in_comment && (bare ~ /[;}] *$/ || bare ~ /^#/ || line ~ /^\/\* ---/))
    begun = 0
}

# Returns a line of the table of tests without the rows of hidden items; a line may hold several.
function public_rows(line,    result, row) {
  result = ""
  while (match(line, /^ *\{"[^"]*", &[^}]*\},? */)) {
    row = substr(line, 1, RLENGTH)
    line = substr(line, RLENGTH + 1)
    if (!(substr(row, index(row, "\"") + 1, index(row, "\",") - index(row, "\"") - 1) in is_hidden))
      result = result row
  }
  result = result line
  return result ~ /^ *$/ ? "" : result
}

function names_hidden(line,    id) {
  for (id in is_hidden)
    if (index(line, id))
      return 1
  return 0
}

function count_of(line, what) { return gsub(what, "", line) }

# Records the names that an item defines. Returns 1 if the item stays: it defines none, such as an #include, or what it
# defines is for other files of the suite.
function name_of(n,    head, k, words, w) {
  head = code[n]
  gsub(/\n/, " ", head)
  sub(/^ +/, "", head)
  if (head == "" || head ~ /^#/ || head ~ /^int main\(/)
    return 1
  if (head ~ /^enum *[a-z_]* *\{/) {
    words = split(head, w, /[^A-Za-z0-9_]+/)
    for (k = 2; k <= words; k++)
      if (w[k] ~ /^[A-Za-z_]/)
        defines(n, w[k])
  } else if (match(head, /^(static |const )*struct [a-z_]* *\{/)) {
    split(substr(head, RSTART, RLENGTH), w, /(static |const )*struct |[ {]/)
    defines(n, w[2])
    if (match(head, /\} [A-Za-z0-9_]+ *[[=]/))
      defines(n, substr(head, RSTART + 2, RLENGTH - 3))
  } else if (match(head, /^START_TEST\([A-Za-z0-9_]+/))
    defines(n, substr(head, 12, RLENGTH - 11))
  else if (head !~ /^static /)
    return 1
  else if (match(head, /[A-Za-z0-9_]+ *[[(=;]/)) {
    head = substr(head, RSTART, RLENGTH - 1)
    defines(n, head)
  } else
    return 1
  return 0
}

function defines(n, name) {
  gsub(/ /, "", name)
  definer[name] = definer[name] " " n
}

# Marks the items that live items mention as live.
function mark(    n, k, count, words, w, d, many, todo) {
  for (n = 1; n <= items; n++)
    if (live[n])
      todo[++many] = n
  for (n = 1; n <= many; n++) {
    words = split(code[todo[n]], w, /[^A-Za-z0-9_]+/)
    for (k = 1; k <= words; k++)
      if (w[k] in definer) {
        count = split(definer[w[k]], d, " ")
        for (; count > 0; count--)
          if (!live[d[count]]) {
            live[d[count]] = 1
            todo[++many] = d[count]
          }
        delete definer[w[k]]
      }
  }
}
