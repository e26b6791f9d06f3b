# awk -f csv.awk -f table.awk -f kernel_table.awk compare.csv [counters.csv]: one table of kernels from what a lab program
# says of them (`stencil compare --csv`) and, on the simulated GPU, what that counted (SIMGPU_COUNTERS): one row per
# launch. Columns are found by header, rows are joined by kernel. Run it with LC_ALL=C: it counts bytes.

# Loads and stores together.
function both(metric) { return value(metric "_ld.sum") + value(metric "_st.sum") }

function microseconds(seconds) { return sprintf("%.1f µs", 1e6 * seconds) }

FNR == 1 { read_header($0); file++; next }
{ split_csv($0, row) }

file == 1 {
  variant[++rows] = value("variant")
  kernel[rows] = value("kernel")
  error[rows] = sprintf("%.1e", value("relative_error"))
  time[value("kernel")] = value("time_ms") == "" ? "" : microseconds(1e-3 * value("time_ms"))
}

file == 2 {
  name = launched(value("kernel"))
  sectors = both("l1tex__t_sectors_pipe_lsu_mem_global_op")
  lanes[name] = ratio(value("simgpu__thread_inst_executed_op_work.sum"), 32 * value("simgpu__inst_executed_op_work.sum"))
  per_request[name] = ratio(sectors, both("l1tex__t_requests_pipe_lsu_mem_global_op"))
  per_sector[name] = ratio(both("smsp__sass_data_bytes_mem_global_op"), sectors)
  time[name] = microseconds(value("simgpu__time_model_ns") * 1e-9) " (model)"
}

function print_row(name, a, b, c, d, e) {
  printf "%-10s%s%s%s%s%s\n", name, pad(a, 16), pad(b, 15), pad(c, 18), pad(d, 15), pad(e, 20)
}

END {
  if (failed)
    exit failed
  print_row("variant", "relative error", "active lanes", "sectors/request", "bytes/sector", "time")
  for (n = 1; n <= rows; n++) {
    name = kernel[n]
    print_row(variant[n], error[n], or_dash(lanes[name]), or_dash(per_request[name]), or_dash(per_sector[name]),
              or_dash(time[name]))
  }
}
