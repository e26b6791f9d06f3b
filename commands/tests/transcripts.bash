# Sourced by test_commands: commands that documents show with their output, in fenced blocks that begin with `$ ./kit`.
# shellcheck shell=bash

# transcripts FOLDER DOCUMENT...: writes N.command, N.output and N.place for each command with its output.
transcripts() {
  mkdir -p "$1"
  awk -v folder="$1" '
    FNR == 1 { fenced = 0 }
    /^ *(```|~~~)/ { fenced = !fenced; begins = fenced; shown = 0; indent = match($0, /[^ ]/) - 1; next }
    !fenced { next }
    { line = substr($0, indent + 1) }
    begins { shown = line ~ /^\$ ([A-Z_]+=[^ ]+ )*\.\/kit /; begins = 0 }
    shown && line ~ /^\$ / {
      name = sprintf("%s/%03d", folder, ++count)
      print FILENAME ":" FNR >(name ".place")
      print substr(line, 3) >(name ".command")
      printf "" >(name ".output")
      next
    }
    shown { print line >(name ".output") }' "${@:2}"
}

# missing_line SHOWN PRINTED: prints the first line of SHOWN that PRINTED lacks. The shown lines occur in this order;
# a line ... stands for any lines, and ... within a line for any text.
missing_line() {
  awk '
    function matches(shown, line, parts, count, i, at) {
      count = split(shown, parts, /\.\.\.|…/)
      if (count == 1) return shown == line
      if (index(line, parts[1]) != 1) return 0
      line = substr(line, length(parts[1]) + 1)
      for (i = 2; i < count; i++) {
        at = index(line, parts[i])
        if (!at) return 0
        line = substr(line, at + length(parts[i]))
      }
      return length(parts[count]) <= length(line) && substr(line, length(line) - length(parts[count]) + 1) == parts[count]
    }
    { sub(/[ \t]+$/, "") }
    FILENAME == ARGV[1] { if ($0 !~ /^ *(\.\.\.|…)?$/) shown[++count] = $0; next }
    found < count && matches(shown[found + 1], $0) { found++ }
    END { if (found < count) print shown[found + 1] }' "$1" "$2"
}
