# awk -f search.awk PAGE.html...: the index of the search, a line of JavaScript for each section: file, id,
# title, page, words.

BEGIN { print "const sections = [" }

FNR == 1 { finish(); page = ""; inside = 0 }
/^<main/ { inside = 1; next }
/^<\/main>/ { finish(); inside = 0 }
!inside { next }

{
  line = $0
  gsub(/<math.*<\/math>/, " ", line)
  gsub(/<!--.*-->/, " ", line)
  while (match(line, /<h[1-3] id="[^"]*">/)) {
    add(substr(line, 1, RSTART - 1))
    finish()
    id = substr(line, RSTART + 8, RLENGTH - 10)
    line = substr(line, RSTART + RLENGTH)
    end = match(line, /<\/h[1-3]>/)
    title = end ? plain(substr(line, 1, end - 1)) : plain(line)
    if (page == "") page = title
    file = FILENAME
    words = title " "
    line = end ? substr(line, end + 5) : ""
  }
  add(line)
}

END { finish(); print "];" }

function plain(text) {
  gsub(/<[^>]*>/, "", text)
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&quot;/, "\"", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

function add(text) { words = words plain(text) " " }

function quote(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  gsub(/[\t\r\n ]+/, " ", text)
  gsub(/<\//, "<\\/", text)
  return "\"" text "\""
}

function finish() {
  if (id != "")
    printf "{file: %s, id: %s, title: %s, page: %s, words: %s},\n", quote(file), quote(id), quote(title), quote(page), quote(tolower(words))
  id = words = ""
}
