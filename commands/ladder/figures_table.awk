# LC_ALL=C awk -f csv.awk -f table.awk -f figures_table.awk table=ladder n=4096 clock=model beside=1 OUTCOMES
# figures.csv reference.csv: prints one table of ./kit run. Each row of OUTCOMES is table, name and outcome, separated
# by tabs. With beside, a row of the reference follows each row of figures.csv. n is the size if figures.csv has none.

FNR == 1 { file++ }

file == 1 {
  split($0, cells, "\t")
  if (cells[1] == table) {
    names[++rows] = cells[2]
    outcome[cells[2]] = cells[3]
  }
  next
}

FNR == 1 { read_header($0); next }

{ split_csv($0, row) }

value("table") == table {
  source = file == 2 ? "yours" : "reference"
  place = source SUBSEP value("name") SUBSEP value("n") SUBSEP value("clock")
  known[place] = 1
  for (name in at)
    figure[place, name] = value(name)
  if (file == 2 && !(value("n") in sized)) {
    sized[value("n")] = 1
    size[++sizes] = value("n")
  }
}

# True if a row of this size has the figure: not every run of lab 01's kernels has both counters and times.
function has(name,    place, parts) {
  for (place in known) {
    split(place, parts, SUBSEP)
    if ((parts[3] in sized || parts[3] == n) && parts[4] == clock && figure[place, name] != "")
      return 1
  }
  return 0
}

function column(name, heading, format, width) {
  shown[++columns] = name
  headings[columns] = heading
  formats[columns] = format
  widths[columns] = width
}

function define_columns(    time) {
  time = clock == "model" ? " (model)" : ""
  if (has("relative_error"))
    column("relative_error", "relative error", "%.1e", 16)
  if (has("active_lanes")) {
    column("active_lanes", "active lanes", "%.2f", 14)
    column("sectors_per_request", "sectors/request", "%.2f", 17)
    column("bytes_per_sector", "bytes/sector", "%.2f", 14)
  }
  if (table == "stencil")
    column("microseconds", "kernel, µs" time, "%.1f", 20)
  if (table == "stencil" && has("fraction_of_copy"))
    column("fraction_of_copy", "of copy", "%.2f", 9)
  if (table == "ladder") {
    column("sectors_per_point", "sectors/point", "%.2f", 15)
    column("ms", "sweep, ms" time, "%.4f", 19)
    column("fraction_of_copy", "of copy", "%.2f", 9)
    column("speedup", "speed-up", "%.2f", 10)
  }
  if (table == "convergence") {
    column("iterations", "iterations", "%d", 12)
    column("megabytes", "MB moved", "%.1f", 12)
    column("ms", "solve, ms" time, "%.4f", 20)
  }
}

# Speed-ups are relative to the masked rung of the same source.
function cell_value(source, name, n, clock, what,    place, first) {
  place = source SUBSEP name SUBSEP n SUBSEP clock
  if (what == "microseconds")
    return figure[place, "ms"] == "" ? "" : 1000 * figure[place, "ms"]
  if (what != "speedup")
    return figure[place, what]
  first = figure[source, "masked", n, clock, "ms"]
  return first > 0 && figure[place, "ms"] > 0 ? first / figure[place, "ms"] : ""
}

function print_label(name, whose) {
  gsub(/_/, " ", name)
  printf "%-" name_width "s%s", name, beside ? sprintf("%-10s", whose) : ""
}

# timed: 0 if the times come from another clock.
function print_figures(source, name, n, clock, timed,    c, text) {
  for (c = 1; c <= columns; c++) {
    text = cell_value(source, name, n, clock, shown[c])
    if (!timed && shown[c] ~ /^(ms|microseconds|fraction_of_copy|speedup)$/)
      text = ""
    printf "%s", pad(text == "" ? "–" : sprintf(formats[c], text), widths[c])
  }
  print ""
}

function print_heading(    c) {
  print_label(table == "ladder" ? "rung" : table == "stencil" ? "kernel" : "method", "")
  for (c = 1; c <= columns; c++)
    printf "%s", pad(headings[c], widths[c])
  print ""
}

function print_row(name, n) {
  print_label(name, "yours")
  if (outcome[name] != "")
    print "  " outcome[name]
  else
    print_figures("yours", name, n, clock, 1)
  if (!beside)
    return
  print_label("", "reference")
  if (("reference" SUBSEP name SUBSEP n SUBSEP clock) in known)
    print_figures("reference", name, n, clock, 1)
  else
    print_figures("reference", name, n, "model", 0)
}

# Prints the bandwidth of a copy in TB/s, from the time and the fraction of any row.
function copy_bandwidth(n,    place, parts) {
  for (place in known) {
    split(place, parts, SUBSEP)
    if (parts[3] == n && parts[4] == clock && (parts[1] == "yours" || !sizes))
      return sprintf("; a copy moves %.2f TB/s", 12e-9 * n * n / figure[place, "ms"] / figure[place, "fraction_of_copy"])
  }
}

END {
  if (failed)
    exit failed
  define_columns()
  name_width = table == "convergence" ? 24 : 14
  if (!sizes)
    size[1] = n
  for (s = 1; s <= (sizes ? sizes : 1); s++) {
    if (table == "ladder" || sizes > 1)
      print "\nN = " size[s] (table == "ladder" ? copy_bandwidth(size[s]) : "")
    print_heading()
    for (r = 1; r <= rows; r++)
      print_row(names[r], size[s])
  }
}
