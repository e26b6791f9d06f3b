# LC_ALL=C awk -v limit=COLUMNS -f c_code.awk -f comments.awk FILE...: prints comments of C, CUDA, Bash, Python, awk and
# CMake with a line longer than the limit, or that end in a line of one or two words after a line of more than limit -
# 20 columns. Lines that programs read, and addresses, cannot be broken. A file without a suffix is a script if it
# begins with #!.

function columns(text) {
  gsub(/[\200-\277]/, "", text) # bytes that continue a character
  return length(text)
}

function words(text,   found) {
  gsub(/^ *(\/[*\/]|[*]|#+)? *| *[*]\/ *$/, "", text)
  return split(text, found, " ")
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
  in_comment = 0
}

is_data { next }

/^ *(\/\/|#) (shellcheck |clang-format |WITH HEADERS|INSTEAD OF: |END\(|[0-9][0-9]\/[a-z]+: |(seconds|expect): |class$)/ {
  end_comment()
  next
}

{
  within = in_comment
  code = $0
  if (is_c)
    code = c_code($0, 1)
  else
    gsub(/"([^"\\]|\\.)*"|'[^']*'/, "", code)
  opens = is_c && !within && /^ *\/[*]/
  whole = is_c ? within || code != $0 && code ~ /^ *$/ : code ~ /^ *# /
  if (opens)
    end_comment()
  if ((whole || (is_c ? code != $0 : code ~ / # /)) && columns($0) > limit && !/:\/\//)
    print FILENAME ":" FNR ": the comment has " columns($0) " columns: expected at most " limit
  if (whole && words($0)) {
    before = last
    last = $0
    number = FNR
    ++lines
  } else
    end_comment()
  if ((within || opens) && !in_comment)
    end_comment()
}

END { end_comment() }
