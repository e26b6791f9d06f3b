# awk -f items.awk 01.cfg …: prints a table of the items of rubrics, one a line, its fields separated by tabs: id, kind,
# part, points, bonus, public (each true or false), needs (separated by spaces), title. With -v public_part=1, prints
# the rubric as students get it instead: without the items that have public = false. Scripts know rubrics from here
# alone; the grader reads them with libconfig (rubric.c), and test_rubric_table compares the two.

FNR == 1 && text != "" { read_text(); text = "" }
{ text = text $0 "\n" }
END { if (text != "") read_text() }

# Sets code: the text with spaces in place of comments and of what stands in quotes, of the same length.
function blank_out(    at, size) {
  code = text
  for (at = 1; match(substr(code, at), /"(\\.|[^"\\])*"|\/\*([^*]|\*+[^*\/])*\*+\/|(#|\/\/)[^\n]*/); at += RSTART + RLENGTH - 1) {
    size = RLENGTH
    code = substr(code, 1, at + RSTART - 2) sprintf("%" size "s", "") substr(code, at + RSTART + size - 1)
  }
}

# The text of a member of the item at from, of this size; "" if it has none.
function member(from, size, name,    plain, end) {
  plain = substr(code, from, size)
  if (!match(plain, "[{;, \t\n]" name "[ \t\n]*[=:]"))
    return ""
  end = index(substr(plain, RSTART + RLENGTH), ";")
  if (!end)
    end = size - RSTART - RLENGTH + 1 # the last member, before }
  return substr(text, from + RSTART + RLENGTH - 1, end - 1)
}

function words(value) {
  gsub(/[][",\t\n ]+/, " ", value)
  gsub(/^ | $/, "", value)
  return value
}

function truth(value, otherwise) {
  value = tolower(words(value))
  return value == "" ? otherwise : value
}

function print_item(from, size,    title) {
  title = member(from, size, "title")
  sub(/^[ \t\n]*"/, "", title)
  sub(/"[ \t\n]*$/, "", title)
  printf "%s\t%s\t%s\t%.12g\t%s\t%s\t%s\t%s\n", words(member(from, size, "id")), words(member(from, size, "kind")),
    words(member(from, size, "part")), words(member(from, size, "points")), truth(member(from, size, "bonus"), "false"),
    truth(member(from, size, "public"), "true"), words(member(from, size, "needs")), title
}

function is_hidden(from, size) { return truth(member(from, size, "public"), "true") == "false" }

function read_text(    at, from, size, lead, comma) {
  blank_out()
  at = index(code, "(") + 1
  if (public_part)
    printf "%s", substr(text, 1, at - 1)
  for (; (from = index(substr(code, at), "{")); at = from + size) {
    from += at - 1
    size = index(substr(code, from), "}")
    if (!size)
      break
    lead = substr(text, at, from - at)
    sub(/^,/, "", lead)
    if (!public_part)
      print_item(from, size)
    else if (!is_hidden(from, size)) {
      printf "%s%s%s", comma, lead, substr(text, from, size)
      comma = ","
    }
  }
  lead = substr(text, at)
  sub(/^[ \t\n,]*/, "", lead)
  if (public_part)
    printf "\n%s", lead
}
