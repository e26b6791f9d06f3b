# awk -v part=head|lab [-v lab=NAME -v work=FOLDER] -f similarity_page.awk [NAMES PAIRS]: the report in HTML: for each
# pair the lines in common, side by side.

function escaped(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  return text
}

function text_of(file, range, limit, text, line, n) {
  split(range, limit, "-")
  text = ""
  n = 0
  while ((getline line < file) > 0)
    if (++n >= limit[1] && n <= limit[2])
      text = text sprintf("%4d  %s\n", n, escaped(line))
  close(file)
  return text
}

BEGIN {
  FS = "\t"
  if (part == "head") {
    print "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Similarity</title>"
    print "<style>body{font:16px sans-serif;margin:2em}table{border-collapse:collapse;width:100%}"
    print "td{vertical-align:top;width:50%;border:1px solid #999;padding:.4em}pre{white-space:pre-wrap;margin:0}</style>"
    print "<h1>Similarity</h1>\n<p>Only text that a student wrote is compared. A percentage is a reason to read both files. It is not a proof.</p>"
    exit
  }
  print "<h2>" escaped(lab) "</h2>"
}
NR == FNR { name[$1] = $2; path[$1] = $3; next }
{
  split($0, field, " ")
  pair = field[2] " " field[3]
  if (pair != last) {
    if (last != "")
      print "</table>"
    printf "<h3>%d&nbsp;%%: %s and %s</h3>\n<p>%d&nbsp;%% of the first is in the second, %d&nbsp;%% of the second is in the first.</p>\n<table>\n",
      field[1], escaped(name[field[2]]), escaped(name[field[3]]), field[4], field[5]
    last = pair
  }
  printf "<tr><td><pre>%s</pre></td><td><pre>%s</pre></td></tr>\n", text_of(path[field[2]], field[7]), text_of(path[field[3]], field[8])
}
END {
  if (part == "lab")
    print last == "" ? "<p>No pair reaches the percentage.</p>" : "</table>"
}
