# Returns the line of C without comments and, unless `strings`, without strings and character constants. in_comment is
# whether a comment goes on after the line; at the beginning of a file, set it to 0.
function c_code(line, strings,    code, token) {
  while (line != "")
    if (in_comment) {
      in_comment = !match(line, /[*]\//)
      line = in_comment ? "" : substr(line, RSTART + 2)
    } else if (match(line, /\/\/.*|\/[*]|"([^"\\]|\\.)*"|'(\\.|[^'\\])+'/)) {
      token = substr(line, RSTART, RLENGTH)
      code = code substr(line, 1, RSTART - 1) (strings && token !~ /^\// ? token : " ")
      line = substr(line, RSTART + RLENGTH)
      in_comment = token == "/*"
    } else {
      code = code line
      line = ""
    }
  return code
}
