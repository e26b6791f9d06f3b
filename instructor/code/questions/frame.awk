# The frame of the sheets: draws numbers from the digest, numbers the questions, prints answers only with -v key=1.

BEGIN {
  pi = atan2(0, -1)
  drawn = 0
  printf "# Lab %s: questions for %s%s\n\n", lab, student, key ? ", with answers" : ""
  print "Show how you get each number. Round to the digits that the question asks for. Formulas are in the theory page and the"
  print "handout of the lab; a question that needs another one says how to derive it.\n"
}

# A whole number from least to most. Each call uses six hexadecimal digits of the digest; it has enough for 21 calls.
function draw(least, most, n, value) {
  if (6 * drawn + 6 > length(digest)) {
    print "variants: too few digits for lab " lab > "/dev/stderr"
    exit 2
  }
  value = 0
  for (n = 1; n <= 6; n++)
    value = 16 * value + index("0123456789abcdef", substr(digest, 6 * drawn + n, 1)) - 1
  drawn++
  return least + value % (most - least + 1)
}

function pick(list, words) { return words[draw(1, split(list, words, " "))] }

function ask(question, answer) {
  printf "%d. %s\n\n", ++questions, question
  if (key)
    printf "   **Answer.** %s\n\n", answer
}

function ceiling(x, n) {
  n = int(x)
  return n < x ? n + 1 : n
}

function blocks(points, per_block) { return int((points + per_block - 1) / per_block) }
function rounded(x, n, text) { # x with n digits, also if the last ones are 0
  text = sprintf("%#." n "g", x)
  sub(/\.$/, "", text)
  return text
}
function gcd(a, b) { return b ? gcd(b, a % b) : a }
function tangent(x) { return sin(x) / cos(x) }

# The sectors of 32 bytes that the words first to last of 4 bytes touch; word 0 begins a sector.
function sectors(first, last) { return int(last / 8) - int(first / 8) + 1 }
