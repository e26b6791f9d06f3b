# LC_ALL=C awk -v limit=COLUMNS -f comments.awk FILE...: prints comments of C, CUDA, Bash, Python, awk and CMake with a
# line longer than the limit, or that end in a line of one or two words after a line of more than limit - 20 columns.
# Lines that programs read, and addresses, cannot be broken. A file without a suffix is a script if it begins with #!.

function columns(text) {
  gsub(/[\200-\277]/, "", text) # bytes that continue a character
  return length(text)
}

function words(text,   found) {
  gsub(/^ *(\/[*\/]|[*]|#+)? *| *[*]\/ *$/, "", text)
  return split(text, found, " ")
}

# The line without string literals, in which a comment only seems to begin.
function without_strings(line) {
  gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
  if (!is_c)
    gsub(/'[^']*'/, "''", line)
  return line
}

function end_comment() {
  if (lines > 1 && words(last) < 3 && last !~ /:\/\/|^ *[*#]  / && columns(before) > limit - 20)
    print name ":" number ": the comment ends in a line of one or two words"
  lines = 0
}

FNR == 1 {
  end_comment()
  name = FILENAME
  is_c = FILENAME ~ /\.([ch]|cu|def)$/
  is_data = FILENAME !~ /[.][^\/]*$/ && !/^#!/
  in_block = 0
}

is_data { next }

/^ *(\/\/|#) (shellcheck |clang-format |WITH HEADERS|INSTEAD OF: |END\(|[0-9][0-9]\/[a-z]+: |(seconds|expect): |class$)/ {
  end_comment()
  next
}

{
  code = without_strings($0)
  opens = is_c && code ~ /^ *\/[*]/
  if (opens && !in_block)
    end_comment()
  in_block = in_block || opens
  whole = in_block || code ~ (is_c ? "^ *//" : "^ *# ")
  if ((whole || code ~ (is_c ? "/[*/]" : " # ")) && columns($0) > limit && !/:\/\//)
    print FILENAME ":" FNR ": the comment has " columns($0) " columns: expected at most " limit
  if (whole && words($0)) {
    before = last
    last = $0
    number = FNR
    ++lines
  } else
    end_comment()
  if (in_block && code ~ /[*]\//) {
    end_comment()
    in_block = 0
  }
}

END { end_comment() }
