# Checks the lengths of functions: awk -f functions.awk -v most=60 -v longer=FILE SOURCE...
# Prints their number and median, and each function with more than `most` lines, except one in the file `longer`; then
# the exit status is 1. In formatted code, a function's first line and closing brace are in column 0; both lines count.

FNR == 1 { head = ""; open = macro = 0 }
macro || /^#/ { macro = /\\$/; next }
!open && /^[A-Za-z_]/ { head = ""; start = FNR }
!open { head = head $0 }
!open && /[;}]$/ || head ~ /= *\{/ { head = "" }
!open && /(^|[^(])\{$/ {
  if (head ~ /\(/) open = start
  head = substr(head, 1, index(head, "(") - 1)
}
open && /^}/ {
  sub(/.*[ *]/, "", head)
  lines = FNR - open + 1
  count[lines]++
  functions++
  if (lines > most && FILENAME == longer && !found) found = 1
  else if (lines > most) {
    print FILENAME ":" open ": " head " has " lines " lines: expected at most " most
    faults++
  }
  open = 0
  head = ""
}

END {
  while (2 * below < functions) below += count[++median]
  print functions " functions, median " median " lines"
  if (!found) print longer ": no function has more than " most " lines: the exception is no longer needed"
  exit faults > 0 || !found
}
