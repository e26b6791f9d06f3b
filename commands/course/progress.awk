# awk -v labs="01_stencil …" [-v wanted=01_stencil] -f csv.awk -f table.awk -f progress.awk - progress.csv <ITEMS:
# prints a table of all labs, or the items and the checks of one lab. ITEMS is what items.awk prints. Lines of
# progress.csv that are torn are ignored.

function number_of(id) { return substr(id, 1, 2) }

FILENAME == "-" {
  split($0, item, "\t")
  id = item[1]
  points = item[4] + 0
  if (item[2] ~ /^(time|rung)$/ || item[6] == "false" || points == 0)
    next
  order[++items] = id
  most[id] = points
  bonus[id] = item[5] == "true"
  if (bonus[id])
    extra[number_of(id)] += points
  else
    full[number_of(id)] += points
  next
}

FNR == 1 {
  read_header($0)
  columns = split_csv($0, row)
  next
}

{
  fields = split_csv($0, row)
  if (fields != columns || value("kind") !~ /^(item|check)$/ || value("time") !~ /^[0-9]+-[0-9][0-9]-[0-9][0-9] [0-9:]+$/)
    next
  id = value("id")
  lab = number_of(id)
  if (value("kind") == "item" && id in most)
    note_item()
  else if (value("kind") == "check")
    note_check()
}

function note_item(    before, measured) {
  before = id in points_of ? points_of[id] : 0
  points_of[id] = value("points") + 0
  now[lab] += points_of[id] - before
  changed[lab] = changed[id] = substr(value("time"), 1, 16)
  measured = value("measured")
  if (measured != "") {
    if (!(id in first))
      first[id] = measured
    last[id] = sprintf("%.4g", measured)
    unit[id] = value("unit")
  }
  if (points_of[id] != before && ++changed_items <= 4)
    changes = changes sprintf("%s%s %.4g → %.4g", changes == "" ? "" : ", ", id, before, points_of[id])
}

function note_check() {
  checks[lab]++
  if (now[lab] > best[lab])
    best[lab] = now[lab]
  if (changed_items > 4)
    changes = changed_items " items changed"
  if (value("verdict") == "COMPILE")
    changes = "did not compile"
  line[++lines] = sprintf("%s  %s %s of %s", substr(value("time"), 1, 16), pad_right(id, 22), pad(sprintf("%.4g", now[lab]), 6),
                          sprintf("%.4g", full[lab])) (changes == "" ? "" : "  " changes)
  lab_of_line[lines] = lab
  changes = ""
  changed_items = 0
}

function pad_right(text, width) { return sprintf("%-" width "s", text) }

function print_labs(    count, names, n, key) {
  print "lab                     now    best      of   bonus  checks  last change"
  count = split(labs, names, " ")
  for (n = 1; n <= count; n++) {
    key = number_of(names[n])
    print pad_right(names[n], 20) pad(sprintf("%.4g", now[key]), 7) pad(sprintf("%.4g", best[key]), 8) \
      pad(sprintf("%.4g", full[key]), 8) pad(extra[key] ? "+" sprintf("%.4g", extra[key]) : "–", 8) pad(checks[key] + 0, 8) \
      "  " or_dash(changed[key])
  }
  print "./kit progress 01 shows the items and the checks of a lab."
}

function print_lab(key,    n, id, text) {
  print "item                   points  last change       value"
  for (n = 1; n <= items; n++) {
    id = order[n]
    if (number_of(id) != key)
      continue
    text = ""
    if (id in last)
      text = (sprintf("%.4g", first[id]) == last[id] ? "" : sprintf("%.4g → ", first[id])) last[id] " " unit[id]
    if (bonus[id])
      text = text (text == "" ? "" : ", ") "bonus"
    text = pad_right(id, 20) pad(sprintf("%.4g/%.4g", points_of[id], most[id]), 9) "  " \
      pad_right(id in changed ? changed[id] : "not checked", 18) text
    sub(/ +$/, "", text)
    print text
  }
  print ""
  print "check"
  for (n = 1; n <= lines; n++)
    if (lab_of_line[n] == key)
      print line[n]
}

END {
  if (failed)
    exit failed
  if (wanted == "")
    print_labs()
  else
    print_lab(number_of(wanted))
}
