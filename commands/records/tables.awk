# awk -F, -f tables.awk fused.h200.csv sgemm.h200.csv counters.h200.csv cg.h200.csv several.h200.csv: prints the tables
# of README.md, and of SEVERAL.md.
FNR == 1 { file++ }

file == 1 && FNR == 1 { print "| N | method | sweep (µs) | spread (µs) | copy (µs) | of copy |\n|---|---|---|---|---|---|" }
file == 1 && FNR > 1 || file == 3 && FNR > 1 { sub(/Gauss-/, "Gauss–") }
file == 1 && FNR > 1 { printf "| %d | %s | %.2f | %.2f | %.1f | %.2f |\n", $1, $2, 1000 * $3, 1000 * $4, 1000 * $5, $6 }

file == 2 && FNR > 1 {
  if (!($1 in seen))
    size[++sizes] = $1
  seen[$1] = 1
  speed[$2, $1] = $5
  ratio[$2, $1] = $6
}

function cell(kernel, n) { return sprintf(" %.2f (%.3f) |", speed[kernel, n], ratio[kernel, n]) }

file == 3 && FNR == 1 {
  printf "\n| kernel |"
  for (s = 1; s <= sizes; s++)
    printf " %d |", size[s]
  print "\n|---|---|---|---|---|"
  kernels = split("cuBLAS,naive,tile,pipelined,warps,banks,spread,small,chosen", kernel, ",")
  for (k = 1; k <= kernels; k++) {
    printf "| %s |", kernel[k]
    for (s = 1; s <= sizes; s++)
      printf "%s", cell(kernel[k], size[s])
    print ""
  }
  print "\n| kernel | registers | FMA pipe (%) | issue slots (%) | dispatch stalls | short scoreboard stalls | shared memory (%) | DRAM (%) |"
  print "|---|---|---|---|---|---|---|---|"
}
file == 3 && FNR > 1 { printf "| %s | %d | %.1f | %.1f | %.2f | %.2f | %.1f | %.1f |\n", $1, $2, $4, $5, $6, $7, $9, $10 }

file == 4 && FNR == 1 { print "\n| N | method | iterations | time (ms) | spread (ms) | residual |\n|---|---|---|---|---|---|" }
file == 4 && FNR > 1 { printf "| %d | %s | %d | %.2f | %.2f | %.2e |\n", $1, $2, $3, $4, $5, $6 }

file == 5 && FNR == 1 { print "\n| work | N | 1 GPU (ms) | 2 GPUs (ms) | spread (ms) | efficiency |\n|---|---|---|---|---|---|" }
file == 5 && $3 == 1 { alone = $5 }
file == 5 && $3 == 2 { printf "| %s | %d | %.4f | %.4f | %.4f | %.3f |\n", $1 == "cg" ? "iteration of CG" : "sweep", $2, alone, $5, $6, $8 }
