# awk -f csv.awk -f table.awk counters.csv: a Markdown table of the counters from compare.awk's rows, one row per
# program and kernel, summed over its launches. Bold: the counts of some launch differ.
FNR == 1 { read_header($0); next }
{
  split_csv($0, row)
  kernel = row[at["program"]] SUBSEP row[at["kernel"]]
  if (!(kernel in seen)) {
    seen[kernel] = ++kernels
    name[kernels] = "`" row[at["kernel"]] "`"
    program[kernels] = row[at["program"]]
  }
  n = seen[kernel]
  metric = row[at["metric"]]
  simulated[n, metric] += row[at["simulated"]]
  measured[n, metric] += row[at["measured"]]
  if (row[at["simulated"]] != row[at["measured"]])
    differs[n, metric] = 1
}

function counter(n, metric) {
  return (n, metric) in differs ? "**" simulated[n, metric] "** ≠ " measured[n, metric] : measured[n, metric] + 0
}
function pair(n, metric, a, b) { return counter(n, metric "_" a ".sum") " / " counter(n, metric "_" b ".sum") }

END {
  print "| program | kernel | requests ld / st | sectors ld / st | bytes ld / st | shared wavefronts ld / st | requests red / atom |"
  print "|---|---|---|---|---|---|---|"
  for (n = 1; n <= kernels; n++)
    printf "| %s | %s | %s | %s | %s | %s | %s |\n", program[n], name[n],
           pair(n, "l1tex__t_requests_pipe_lsu_mem_global_op", "ld", "st"),
           pair(n, "l1tex__t_sectors_pipe_lsu_mem_global_op", "ld", "st"),
           pair(n, "smsp__sass_data_bytes_mem_global_op", "ld", "st"),
           pair(n, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op", "ld", "st"),
           pair(n, "l1tex__t_requests_pipe_lsu_mem_global_op", "red", "atom")
}
