# awk -f csv.awk -f table.awk counters.csv: the Markdown table of common/simgpu/README.md from compare.awk's rows.
FNR == 1 { read_header($0); next }
{
  split_csv($0, row)
  launch = row[at["program"]] SUBSEP row[at["kernel"]] SUBSEP row[at["grid"]]
  if (!(launch in seen)) {
    seen[launch] = ++launches
    name[launches] = "`" row[at["kernel"]] "`"
    grid[launches] = row[at["program"]]
  }
  n = seen[launch]
  metric = row[at["metric"]]
  value[n, metric] = row[at["simulated"]] == row[at["measured"]] ? row[at["measured"]] : "**" row[at["simulated"]] "** ≠ " row[at["measured"]]
}
function pair(n, metric) { return value[n, metric "_ld.sum"] " / " value[n, metric "_st.sum"] }
END {
  print "| program | kernel | requests ld / st | sectors ld / st | bytes ld / st | shared wavefronts ld / st |"
  print "|---|---|---|---|---|---|"
  for (n = 1; n <= launches; n++)
    printf "| %s | %s | %s | %s | %s | %s |\n", grid[n], name[n],
           pair(n, "l1tex__t_requests_pipe_lsu_mem_global_op"), pair(n, "l1tex__t_sectors_pipe_lsu_mem_global_op"),
           pair(n, "smsp__sass_data_bytes_mem_global_op"),
           pair(n, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op")
}
