# awk -f csv.awk -f compare.awk -v program=NAME counters.csv ncu.csv: one CSV row per launch and counter, with the count
# of the simulated GPU (SIMGPU_COUNTERS) beside that of Nsight Compute (ncu --csv --page raw). The order of launches
# joins the two files. Counters that only one side has are left out.
# Exit status 1: a counter that must be equal is not; 2: the files have different numbers of launches.

# Some counters are for information only. ptxas merges and predicates instructions, and keeps local arrays in registers
# if it can, so totals of instructions and requests of local memory differ. The shared-memory counters of the L1 data
# stage also count its arbitration with other traffic and vary from run to run in a busy kernel; the wavefronts
# attributed to instructions do not.
function must_agree(metric) {
  return metric !~ /inst_executed|mem_local|^l1tex__data_/ || metric ~ /inst_executed_op_shared/
}

# The column of our file that holds the same count as `metric`.
function simulated_name(metric) {
  sub(/^smsp__sass_l1tex_data_pipe/, "l1tex__data_pipe", metric)
  return metric
}

function plain(text) {
  gsub(/,/, "", text)
  return text + 0
}

FNR == 1 {
  file++
  if (file == 2) {
    for (n in at)
      simulated_at[n] = at[n]
  }
  read_header($0)
  next
}

file == 1 { launch[++simulated] = $0 }

# The second line of ncu's file holds the units.
file == 2 && FNR > 2 {
  if (++measured > simulated)
    next
  split_csv($0, row)
  split_csv(launch[measured], other)
  for (metric in at) {
    if (!(simulated_name(metric) in simulated_at) || metric !~ /\.sum$/)
      continue
    ours = other[simulated_at[simulated_name(metric)]]
    theirs = plain(row[at[metric]])
    agree = ours == theirs ? "yes" : must_agree(metric) ? "NO" : "-"
    if (agree == "NO")
      failed = 1
    printf "%s,\"%s\",%s,%s,%s,%d,%d,%s\n", program, other[simulated_at["kernel"]], other[simulated_at["grid"]],
           other[simulated_at["block"]], metric, ours, theirs, agree
  }
}

END {
  if (measured != simulated || measured == 0) {
    printf "kit: validate: %s: %d launches simulated, but %d measured: expected the same number\n", program, simulated, measured >"/dev/stderr"
    failed = 2
  }
  exit failed
}
