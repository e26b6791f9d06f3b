# Reading CSV in awk: `awk -f csv.awk -f program.awk`.

# Cells of a line into `cells`; returns how many. Quotes around a cell are taken off.
function split_csv(line, cells,    count, cell) {
  while (match(line, /^("([^"]|"")*"|[^,]*)/)) {
    cell = substr(line, 1, RLENGTH)
    gsub(/^"|"$/, "", cell)
    cells[++count] = cell
    if (RLENGTH == length(line))
      return count
    line = substr(line, RLENGTH + 2)
  }
}

# Column numbers by header into the global array `at`.
function read_header(line,    cells, count, n) {
  for (n in at)
    delete at[n]
  count = split_csv(line, cells)
  for (n = 1; n <= count; n++)
    at[cells[n]] = n
}
