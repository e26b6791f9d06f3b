# awk -v part=N -f blocks.awk -f reset.awk SKELETON.cu FILE.cu: prints FILE.cu with the skeleton's text in each block
# from TODO(N) to END(N). Exit status 1, and the reason on standard error, unless both files have the same blocks.

function is_mark(word) { return part && block_mark($0, word) == part }

function refuse(why) {
  print why >"/dev/stderr"
  refused = 1
  exit
}

FNR == 1 { file++ }

file == 1 {
  if (is_mark("TODO")) {
    blocks++
    inside = 1
  }
  if (inside)
    text[blocks] = text[blocks] $0 "\n"
  if (is_mark("END"))
    inside = 0
  next
}

{
  if (!blocks)
    refuse("the skeleton has no TODO(" part ")")
  if (is_mark("TODO")) {
    if (within)
      refuse("TODO(" part ") occurs twice before END(" part "): ./kit reset without a part restores the whole file")
    within = 1
    found++
    result = result text[found]
  }
  if (!within)
    result = result $0 "\n"
  if (is_mark("END")) {
    if (!within)
      refuse("END(" part ") has no TODO(" part ") before it: ./kit reset without a part restores the whole file")
    within = 0
  }
}

END {
  if (refused)
    exit 1
  if (within || found != blocks) {
    print "expected " blocks " block" (blocks == 1 ? "" : "s") " from TODO(" part ") to END(" part "), found " found + 0 - within \
      ": ./kit reset without a part restores the whole file" >"/dev/stderr"
    exit 1
  }
  printf "%s", result
}
