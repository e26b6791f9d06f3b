# LC_ALL=C awk -f csv.awk -f table.awk -f stencil_figures.awk right=" csr naive " place=DEVICE,N,CLOCK,CONDITIONS
# compare.csv [counters.csv]: prints rows of figures.csv for the right variants, from `stencil compare --csv` and, on
# the simulated GPU, from its counters (SIMGPU_COUNTERS), one row per launch. Columns are found by header, rows are
# joined by kernel.

function quotient(a, b) { return b > 0 ? sprintf("%.6f", a / b) : "" }

FNR == 1 { read_header($0); file++; next }
{ split_csv($0, row) }

file == 1 && index(right, " " value("variant") " ") {
  variant[++rows] = value("variant")
  kernel[rows] = value("kernel")
  error[rows] = value("relative_error")
  time[value("kernel")] = value("time_ms")
}

file == 2 {
  name = launched(value("kernel"))
  sectors = moved("l1tex__t_sectors_pipe_lsu_mem_global_op")
  lanes[name] = quotient(value("simgpu__thread_inst_executed_op_work.sum"), 32 * value("simgpu__inst_executed_op_work.sum"))
  per_request[name] = quotient(sectors, moved("l1tex__t_requests_pipe_lsu_mem_global_op"))
  per_sector[name] = quotient(moved("smsp__sass_data_bytes_mem_global_op"), sectors)
  time[name] = sprintf("%.6f", value("simgpu__time_model_ns") * 1e-6)
}

END {
  if (failed)
    exit failed
  for (n = 1; n <= rows; n++) {
    name = kernel[n]
    printf "stencil,%s,%s,%s,%s,%s,%s,,,,%s,\n", variant[n], place, error[n], lanes[name], per_request[name],
           per_sector[name], time[name]
  }
}
