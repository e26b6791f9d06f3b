# The last lines of ./kit test: what ran, what was skipped and why, what was left out. Input: ctest's JUnit files.
# Variables: rows and times (files of cmake/suites.cmake), seconds, ctest (how to run it).
function value(name,   at) { # of an attribute of the current line
  at = index($0, " " name "=\"")
  return at ? substr($0, at + length(name) + 3, index(substr($0, at + length(name) + 3), "\"") - 1) : ""
}
function plain(text) {
  gsub(/&quot;/, "\"", text); gsub(/&apos;/, "'", text); gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
  return text
}
function skip(why) { skips[++skipped_lines] = name ": " plain(why); reasons[name]++ }
BEGIN { FS = "\t" }
/<testcase / { name = value("name"); state = value("status"); ran[name] }
/<testcase / && state == "run" { passed++ }
/<testcase / && state == "fail" { failed[++failures] = name }
/<skipped message="SKIP_RETURN_CODE/ { skipped[name]; count_skipped++; next }
/<skipped / { failed[++failures] = name } # its program is missing
{ sub(/^.*<system-out>/, "") }
/^skipped: / && name in skipped { sub(/<\/system-out>.*/, ""); skip(substr($0, 10)) }
END {
  while ((getline row <times) > 0) {
    split(row, part, ",")
    cpu += part[2]
  }
  while ((getline row <rows) > 0) {
    split(row, part, "\t")
    all++
    if (!(part[1] in ran)) {
      if (!left[part[2]]++)
        wings[++count] = part[2]
      out++
    }
  }
  printf "kit: tests: %d passed, %d failed, %d skipped, in %d s; they used %.0f s of CPU time\n", passed, failures, count_skipped, seconds, cpu
  for (n = 1; n <= failures; n++)
    printf "kit: failed: %s; again: %s -R '^%s$' --output-on-failure\n", failed[n], ctest, failed[n]
  for (name in skipped)
    if (!(name in reasons))
      skip("no reason given")
  for (n = 1; n <= skipped_lines; n++)
    print "kit: skipped: " skips[n]
  if (out) {
    line = "kit: left out: " out " of " all " tests ("
    for (n = 1; n <= count; n++)
      line = line (n > 1 ? ", " : "") wings[n] ": " left[wings[n]]
    print line "); ./kit test WING runs a wing in full, ./kit test --all all of them"
  }
}
