# awk -f similarity_list.awk NAMES PAIRS: prints the pairs of similarity_pairs.awk for people, with the names
# of the entries.
BEGIN { FS = "\t" }
NR == FNR { name[$1] = $2; next }
{
  split($0, field, " ")
  pair = field[2] " " field[3]
  if (pair != last) {
    printf "  %3d %%  %s and %s: %d %% of the first is in the second, %d %% of the second is in the first\n", field[1],
      name[field[2]], name[field[3]], field[4], field[5]
    last = pair
  }
  printf "         lines %s and %s (%d tokens)\n", field[7], field[8], field[6]
}
END {
  if (last == "")
    print "  no pair reaches the percentage of --least"
}
