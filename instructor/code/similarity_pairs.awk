# awk -f similarity_pairs.awk TOKENS RUNS: reads the own tokens of each file, and the runs that sim_c -a -e -n printed.
# Prints a line per pair A B and run in common: PERCENT A B A_IN_B B_IN_A TOKENS A_FIRST-A_LAST B_FIRST-B_LAST. A_IN_B
# is the percent of A's tokens that are also in B, and PERCENT is the larger of the two.

NR == FNR { own[$1] = $2; next }
/\|/ {
  match($0, /\[[0-9]+\]/)
  tokens = substr($0, RSTART + 1, RLENGTH - 2)
  split($0, side, "|")
  split(side[1], a, /: line */)
  split(side[2], b, /: line */)
  sub(/ .*/, "", a[2])
  sub(/[ \[].*/, "", b[2])
  common[a[1], b[1]] += tokens
  if (a[1] < b[1])
    runs[a[1] " " b[1]] = runs[a[1] " " b[1]] tokens " " a[2] " " b[2] "\n"
}

function percent(a, b) { return int(100 * (common[a, b] < own[a] ? common[a, b] : own[a]) / own[a] + 0.5) }

END {
  for (pair in runs) {
    split(pair, name, " ")
    a_in_b = percent(name[1], name[2])
    b_in_a = percent(name[2], name[1])
    count = split(runs[pair], run, "\n")
    for (n = 1; n < count; n++)
      print (a_in_b > b_in_a ? a_in_b : b_in_a), pair, a_in_b, b_in_a, run[n]
  }
}
