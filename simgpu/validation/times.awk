# A Markdown table of modelled and measured times from the CSV of times.bash, and the largest deviation.
BEGIN { FS = "," }
NR == 1 {
  print "\n| kernel | modelled, ms | measured, ms | modelled / measured |\n|---|---|---|---|"
  next
}
$3 > 0 {
  print "| " $1 " | " $2 " | " $3 " | " $4 " |"
  off = $2 > $3 ? $2 / $3 - 1 : $3 / $2 - 1
  if (rows++ == 0 || off > worst) {
    worst = off
    name = $1
  }
}
END {
  if (!rows) {
    print "kit: validate: no times to compare: expected rows of times.bash" >"/dev/stderr"
    exit 2
  }
  printf "\nThe model of an H200 deviates most for %s: by %.0f %%\n\n", name, 100 * worst
}
