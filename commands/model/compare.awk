# awk -f compare.awk [markdown=1] BOUNDS MODELLED MEASURED: a table of modelled and measured times of kernels, and for
# each set the median and the worst deviation and the share of kernels within 15 %. MODELLED and MEASURED: CSV of
# kernel_times; # begins a comment. BOUNDS: the permitted deviations, see that file. Exit status 1: a deviation is above
# its bound; 2: bad input.
BEGIN { FS = ","; bound["bench"] = bound["held_out"] = 0.15 }
function fail(text) {
  print "compare.awk: " text >"/dev/stderr"
  failed = 2
  exit 2
}
FNR == 1 { file++ }
/^#/ {
  if (file == 3) heads[++head_count] = substr($0, 3)
  next
}
$0 == "" || $1 == "set" { next }
file == 1 { bound[$1 "," $2 "," $3] = $4; next }
NF < 4 || $4 + 0 <= 0 { fail(FILENAME ", line " FNR ": expected set,kernel,n,ms with a time above 0, got '" $0 "'") }
file == 2 { modelled[$1 "," $2 "," $3] = $4; next }
($1 "," $2 "," $3) in modelled {
  key = $1 "," $2 "," $3
  order[++rows] = key
  measured[key] = $4
  off[key] = modelled[key] / $4 - 1
}
function magnitude(x) { return x < 0 ? -x : x }
function show(key, part, mark) {
  split(key, part, ",")
  mark = magnitude(off[key]) > 0.15 ? "**" : ""
  if (markdown)
    printf "| %s | %s | %.4f | %.4f | %s%.2f%s |\n", part[2], part[3], measured[key], modelled[key], mark, 1 + off[key], mark
  else
    printf "%-9s %-22s %8s %10.4f %10.4f %6.2f%s\n", part[1], part[2], part[3], measured[key], modelled[key], 1 + off[key], mark == "" ? "" : " *"
}
# The statistics of a set: sorted deviations by insertion.
function summary(set, i, j, k, count, within, key, x, list, worst, part) {
  for (i = 1; i <= rows; i++) {
    key = order[i]
    split(key, part, ",")
    if (part[1] != set)
      continue
    x = magnitude(off[key])
    within += x <= 0.15
    if (count == 0 || x > magnitude(off[worst]))
      worst = key
    for (j = ++count; j > 1 && list[j - 1] > x; j--)
      list[j] = list[j - 1]
    list[j] = x
  }
  if (count == 0)
    return
  split(worst, part, ",")
  printf "%s: %d of %d times within 15 %%; median deviation %.0f %%; worst %.0f %% (%s, n = %s)\n",
    set, within, count, 100 * list[int((count + 1) / 2)], 100 * off[worst], part[2], part[3]
}
END {
  if (failed)
    exit failed
  if (!rows)
    fail("no kernel has both times: expected rows of kernel_times with the same set, kernel and n")
  for (i = 1; i <= head_count; i++)
    print (markdown ? "- " : "") heads[i]
  if (markdown)
    print "\n| kernel | n | measured (ms) | modelled (ms) | modelled / measured |\n|---|---|---|---|---|"
  for (i = 1; i <= rows; i++)
    show(order[i])
  print ""
  summary("bench")
  summary("held_out")
  summary("probe")
  for (i = 1; i <= rows; i++) {
    split(order[i], part, ",")
    most = order[i] in bound ? bound[order[i]] : bound[part[1]]
    if (most != "" && magnitude(off[order[i]]) > most) {
      printf "compare.awk: %s, n = %s: modelled / measured is %.2f: expected a deviation of at most %.0f %%\n", part[2], part[3],
        1 + off[order[i]], 100 * most >"/dev/stderr"
      failed = 1
    }
  }
  exit failed
}
