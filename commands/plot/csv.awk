# Reading CSV in awk: `awk -f csv.awk -f program.awk`. The counters of the simulated GPU and of Nsight Compute have
# commas in the names of kernels. Debian's awk has no --csv. A C program in place of split_csv() would need a build
# before ./kit validate and before these programs can read a saved file; the other functions would stay.

# Splits a line into `cells` and returns their number. Removes the quotes around a cell.
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

# Stores column numbers by header in the global array `at`.
function read_header(line,    cells, count, n) {
  for (n in at)
    delete at[n]
  count = split_csv(line, cells)
  for (n = 1; n <= count; n++)
    at[cells[n]] = n
}

# The cell of the current line, by the header of its column. The global array `row` holds the split line.
function value(name) {
  if (!(name in at)) {
    print "kit: " FILENAME ": no column '" name "'" >"/dev/stderr"
    failed = 2
    exit
  }
  return row[at[name]]
}

# "void tiled_kernel<8>(int, float *)" -> "tiled_kernel"
function launched(kernel) {
  sub(/[(<].*/, "", kernel)
  sub(/^.* /, "", kernel)
  return kernel
}

# Loads and stores of a counter. Loads include the requests and sectors of asynchronous copies, but not their bytes.
function moved(metric) { return value(metric "_ld.sum") + value(metric "_st.sum") }
