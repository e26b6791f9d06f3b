# awk -f results.awk -v program=NAME sim.out gpu.out: one CSV row per test, whether all its results have the same bits
# on both devices. Both files are the output of a program of kernels/: lines of `test bytes hexadecimal`.
function agree(test, whether) {
  if (!(test in equal)) {
    name[++tests] = test
    equal[test] = 1
  }
  equal[test] = equal[test] && whether
}

FNR == NR { simulated[FNR] = $0; count = FNR; next }
{ agree($1, $0 == simulated[FNR]); measured = FNR }

END {
  for (line = measured + 1; line <= count; line++)
    agree(substr(simulated[line], 1, index(simulated[line], " ") - 1), 0)
  for (n = 1; n <= tests; n++)
    printf "%s,%s,%s\n", program, name[n], equal[name[n]] ? "equal" : "DIFFERENT"
}
