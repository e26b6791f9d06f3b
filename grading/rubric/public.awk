# Prints a rubric as students get it: without the items that have public = false. With -v hidden_ids=1, prints only
# the ids of these items.

{ text = text $0 "\n" }

# Returns the length of the item at the start of rest.
function item_length(rest,    n, depth, quoted, c) {
  for (n = 1; n <= length(rest); n++) {
    c = substr(rest, n, 1)
    if (c == "\"")
      quoted = !quoted
    if (quoted)
      continue
    depth += (c == "{") - (c == "}")
    if (depth == 0 && (c == "," || c == ")"))
      return n - 1
  }
  return length(rest)
}

END {
  if (!match(text, /lines[ \t\n]*=[ \t\n]*\(/))
    exit 1
  printf "%s", hidden_ids ? "" : substr(text, 1, RSTART + RLENGTH - 1)
  rest = substr(text, RSTART + RLENGTH)
  while (substr(rest, 1, 1) != ")" && rest != "") {
    size = item_length(rest)
    item = substr(rest, 1, size)
    rest = substr(rest, size + 1)
    hidden = item ~ /public[ \t]*=[ \t]*(false|FALSE|False)/
    if (hidden && hidden_ids && match(item, /id[ \t]*=[ \t]*"[^"]*"/)) {
      split(substr(item, RSTART, RLENGTH), word, "\"")
      print word[2]
    } else if (!hidden && !hidden_ids) {
      sub(/[ \t\n]*$/, "", item)
      printf "%s%s", comma, item
      comma = ","
    }
    sub(/^,/, "", rest)
  }
  if (!hidden_ids)
    printf "\n%s", rest
}
