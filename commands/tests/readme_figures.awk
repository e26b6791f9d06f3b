# awk -f csv.awk -f readme_figures.awk reference.csv docs/ladder.md README.md: checks that the tables of the ladder and
# of lab 01's kernels show the figures of reference.csv. The front page has fewer columns.

FNR == 1 { file++ }
file == 1 && FNR == 1 { read_header($0); next }

file == 1 {
  split_csv($0, row)
  for (name in at)
    figure[value("table"), value("name"), value("clock"), name] = value(name)
  next
}

# Splits a Markdown row into cells 1, 2, …, without white space around them.
function read_row(    count, n) {
  count = split($0, cells, /[ \t]*\|[ \t]*/)
  for (n = 1; n < count; n++)
    cells[n] = cells[n + 1]
}

function expect(n, format, number,    text) {
  text = sprintf(format, number)
  if (cells[n] != text) {
    print FILENAME ":" FNR ": " cells[n] ": expected " text ", as in reference.csv"
    bad++
  }
}

function expect_figure(n, table, name, clock, column, format) {
  expect(n, format, figure[table, name, clock, column])
}

file > 1 && /^\| (masked|compressed|split|split `float4`|fused) \|/ {
  read_row()
  rung = cells[1]
  gsub(/`/, "", rung)
  gsub(/ /, "_", rung)
  seen++
  speed_up = figure["ladder", "masked", "GPU", "ms"] / figure["ladder", rung, "GPU", "ms"]
  if (file == 3) {
    expect_figure(3, "ladder", rung, "model", "sectors_per_point", "%.2f")
    expect(4, "%.2f", speed_up)
    next
  }
  expect_figure(3, "ladder", rung, "model", "active_lanes", "%.2f")
  expect_figure(4, "ladder", rung, "model", "bytes_per_sector", "%.2f")
  expect_figure(5, "ladder", rung, "model", "sectors_per_point", "%.2f")
  expect_figure(6, "ladder", rung, "model", "ms", "%.3f")
  expect_figure(7, "ladder", rung, "model", "fraction_of_copy", "%.2f")
  expect_figure(8, "ladder", rung, "GPU", "ms", "%.3f")
  expect_figure(9, "ladder", rung, "GPU", "fraction_of_copy", "%.2f")
  expect(10, "%.2f", speed_up)
}

file == 2 && /^\| (naive|tiled|marching), / {
  read_row()
  kernel = cells[1]
  sub(/,.*/, "", kernel)
  expect_figure(2, "stencil", kernel, "model", "relative_error", "%.1e")
  expect_figure(3, "stencil", kernel, "model", "active_lanes", "%.2f")
  expect_figure(4, "stencil", kernel, "model", "sectors_per_request", "%.2f")
  expect_figure(5, "stencil", kernel, "model", "bytes_per_sector", "%.2f")
  expect_figure(6, "stencil", kernel, "GPU", "ms", "%.3f")
  expect_figure(7, "stencil", kernel, "GPU", "fraction_of_copy", "%.2f")
  seen++
}

END {
  if (seen != 13) {
    print "docs/ladder.md, README.md: " seen + 0 " rows of rungs and kernels: expected 13"
    bad++
  }
  exit failed || bad
}
