# Reads PTX and prints one line per kernel and function: "instructions <tab> name <tab> normal form". In the normal
# form, registers, labels, parameters and variables are numbered in order of appearance.

FNR == 1 { body = 0 }

{
  sub(/\/\/.*/, "")
  gsub(/\t/, " ")
  sub(/^ +/, "")
  sub(/ +$/, "")
}

!body && /^(\.[a-z]+ )*\.(entry|func) / {
  name = $0
  sub(/ *\(.*/, "", name)
  if (/\.func *\(/) { # the result comes before the name
    name = $0
    sub(/^[^)]*\) */, "", name)
    sub(/[ (].*/, "", name)
  }
  sub(/.* /, "", name)
  head = 1
}

head && /;$/ { head = 0 } # a declaration
head && /^\{/ { head = 0; body = 1; normal = ""; count = 0; names = 0; split("", number); next }
!body { next }

/^\}$/ && !calls {
  print count "\t" name "\t" normal
  body = 0
  next
}
/^\{/ { calls++; next }
/^\}/ { calls--; next }
/^\./ || $0 == "" { next } # declarations and directives

{
  count += !/:$/
  normal = normal normal_form($0) " "
}

function normal_form(line,    result, word) {
  result = ""
  while (match(line, /[%$A-Za-z_][A-Za-z0-9_$.]*/)) {
    word = substr(line, RSTART, RLENGTH)
    result = result substr(line, 1, RSTART - 1) (own_name(word, substr(line, 1, RSTART - 1)) ? numbered(word) : word)
    line = substr(line, RSTART + RLENGTH)
  }
  result = result line
  gsub(/ /, "", result)
  return result
}

# True unless the word is an opcode, a type, a special register or the digits after 0 in 0f3F800000.
function own_name(word, before) {
  if (word ~ /^%(tid|ntid|ctaid|nctaid|laneid|warpid|smid|clock|clock64|globaltimer|lanemask_[a-z]+)([.]|$)/)
    return 0
  return word ~ /^[%$]/ || word ~ /^_/ && before !~ /[0-9A-Za-z]$/ || word ~ /_param_/ || before ~ /\[$/ 
}

function numbered(word,    class) {
  class = word
  sub(word ~ /^%/ ? "[0-9].*" : ".+", "", class)
  if (!(word in number))
    number[word] = class "#" ++names
  return number[word]
}
