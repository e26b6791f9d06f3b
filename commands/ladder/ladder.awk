# Prints the ladder's figures as CSV, one row per rung and size.
#
#   awk -f csv.awk -f ladder.awk n=4096 sweeps=4 copy=4250 rung=masked variant=masked kernel=masked_kernel FILE...
#
# FILEs of a rung are the counters of these sweeps of n x n points on the simulated GPU (SIMGPU_COUNTERS) and, if
# measured, the output of its lab's `table --csv`. Otherwise times are modelled, and copy is the model's bandwidth of a
# copy in GB/s. Speed-ups are relative to the masked rung, and empty without it.

FNR == 1 {
  read_header($0)
  is_measured = "sweep_ms" in at
  if (!(rung in known)) {
    known[rung] = kernel
    order[++rungs] = rung
  }
  next
}

{ split_csv($0, row) }

!is_measured && launched(value("kernel")) == kernel {
  warps[rung] += value("simgpu__inst_executed_op_work.sum")
  threads[rung] += value("simgpu__thread_inst_executed_op_work.sum")
  requests[rung] += moved("l1tex__t_requests_pipe_lsu_mem_global_op")
  sectors[rung] += moved("l1tex__t_sectors_pipe_lsu_mem_global_op")
  bytes[rung] += moved("smsp__sass_data_bytes_mem_global_op") + value("smsp__sass_data_bytes_mem_global_op_ldgsts.sum")
  model_ms[rung] += value("simgpu__time_model_ns") * 1e-6 / sweeps
}

is_measured && value("variant") == variant {
  size = value("n")
  if (!(size in sized)) {
    sized[size] = 1
    size_order[++sizes] = size
  }
  measured_ms[size, rung] = value("sweep_ms")
  measured_fraction[size, rung] = value("fraction_of_copy")
}

function complain(text) {
  print "kit: " text >"/dev/stderr"
  failed = 2
}

# Effective bandwidth in GB/s at 12 bytes per point: u and h²f read, u written, each once.
function bandwidth(size, ms) { return 12e-6 * size * size / ms }

function print_rung(size, rung, clock, ms, fraction, first_ms) {
  printf "%d,%s,%s,%.6f,%.6f,%.6f,%.6f,%s,%.6f,%.2f,%.4f,%s\n", size, rung, known[rung],
         threads[rung] / (32 * warps[rung]), sectors[rung] / requests[rung], bytes[rung] / sectors[rung],
         sectors[rung] / (sweeps * n * n), clock, ms, bandwidth(size, ms), fraction, first_ms ? sprintf("%.4f", first_ms / ms) : ""
}

function check_rung(rung,    s) {
  if (!requests[rung])
    complain(rung ": its counters have no launch of " known[rung])
  else if (!sizes && !(model_ms[rung] > 0))
    complain(rung ": the modelled time is 0: expected more than 0")
  for (s = 1; s <= sizes; s++)
    if (!(measured_ms[size_order[s], rung] > 0))
      complain(rung ": no time at n = " size_order[s])
}

END {
  if (failed)
    exit failed
  for (r = 1; r <= rungs; r++)
    check_rung(order[r])
  if (!sizes && !(copy > 0))
    complain("copy = '" copy "': expected the model's bandwidth in GB/s")
  if (failed)
    exit failed
  print "n,rung,kernel,active_lanes,sectors_per_request,bytes_per_sector,sectors_per_point,clock,sweep_ms," \
        "gigabytes_per_s,fraction_of_copy,speedup"
  for (r = 1; !sizes && r <= rungs; r++)
    print_rung(n, order[r], "model", model_ms[order[r]], bandwidth(n, model_ms[order[r]]) / copy, model_ms["masked"])
  for (s = 1; s <= sizes; s++)
    for (r = 1; r <= rungs; r++)
      print_rung(size_order[s], order[r], "GPU", measured_ms[size_order[s], order[r]],
                 measured_fraction[size_order[s], order[r]], measured_ms[size_order[s], "masked"])
}
