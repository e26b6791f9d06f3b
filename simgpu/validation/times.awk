# The table of modelled and measured times from what times.bash prints, and how far the worst is off.
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
    print "no times to compare" >"/dev/stderr"
    exit 2
  }
  printf "\nThe model (H200) is farthest off for %s: %.0f %%\n\n", name, 100 * worst
}
