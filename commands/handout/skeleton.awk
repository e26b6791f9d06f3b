# awk -f blocks.awk -f skeleton.awk SKELETON.cu SOLUTION.cu: checks that no part of the skeleton is written; if one is,
# prints the reason and exits with status 1. Outside the blocks from TODO(n) to END(n) both files must agree. A block of
# the skeleton may contain only comments, "return n;" and a condition before it.

function refuse(why) {
  print why
  refused = 1
  exit
}

FNR == 1 { part = 0; file++ }

{
  ends = block_mark($0, "END")
  if (part && !ends) {
    if (file == 1 && !block_placeholder($0))
      refuse("line " FNR ", part " part " is written")
    next
  }
  begins = block_mark($0, "TODO")
  blocks += file == 1 && begins
  part = ends ? 0 : begins
  if (file == 1)
    outside[++lines] = $0
  else if ($0 != outside[++seen])
    refuse("outside its TODO blocks it differs from the solution at line " FNR)
}

END {
  if (refused)
    exit 1
  if (!blocks)
    why = "it has no TODO block"
  else if (seen != lines)
    why = "outside its TODO blocks it has more lines than the solution"
  if (why != "") {
    print why
    exit 1
  }
}
