# Turns ncu's raw page (a line of headers, one of units, one per launch) into rows: kernel, pattern, metrics.
# `metrics`: their names. `patterns`: a file with one name per line; 23 launches belong to each.

NR == 1 {
  read_header($0)
  count = split(metrics, metric, ",")
  print "kernel,pattern," metrics
}

NR > 2 {
  if ((NR - 3) % 23 == 0)
    getline pattern <patterns
  split_csv($0, row)
  kernel = row[at["Kernel Name"]]
  sub(/^void /, "", kernel)
  sub(/\(.*/, "", kernel)
  line = quoted(kernel) "," quoted(pattern)
  for (m = 1; m <= count; m++) {
    gsub(/,/, "", row[at[metric[m]]])
    line = line "," row[at[metric[m]]]
  }
  print line
}

function quoted(text) { return text ~ /,/ ? "\"" text "\"" : text }
