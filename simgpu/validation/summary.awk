# awk -f csv.awk -f summary.awk launches.csv bits.csv counters.csv: a Markdown table with a row per program. In
# counters.csv, the first word of a name is the program.
FNR == 1 { read_header($0); next }
{
  split_csv($0, row)
  program = row[at["program"]]
  sub(/ .*/, "", program)
  if (!(program in seen)) {
    seen[program] = 1
    name[++programs] = program
  }
}
"launch" in at {
  launches[program]++
  if (!((program, row[at["kernel"]]) in known)) {
    known[program, row[at["kernel"]]] = 1
    kernels[program]++
  }
}
"results" in at { results[program, row[at["results"]]]++ }
"agree" in at { counters[program, row[at["agree"]]]++ }

function count_row(program, name) {
  printf "| %s | %d | %d | %d | %d | %d | %d |\n", name, kernels[program], launches[program],
         results[program, "equal"], results[program, "DIFFERENT"], counters[program, "yes"], counters[program, "NO"]
}

END {
  print "| program | kernels | launches | results equal | different | counters equal | different |"
  print "|---|---|---|---|---|---|---|"
  for (n = 1; n <= programs; n++) {
    program = name[n]
    count_row(program, program)
    kernels["all"] += kernels[program]
    launches["all"] += launches[program]
    split("equal DIFFERENT", verdicts, " ")
    for (k in verdicts)
      results["all", verdicts[k]] += results[program, verdicts[k]]
    split("yes NO", verdicts, " ")
    for (k in verdicts)
      counters["all", verdicts[k]] += counters[program, verdicts[k]]
  }
  count_row("all", "all")
}
