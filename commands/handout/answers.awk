# Finds the text of answers in other files; needs blocks.awk and c_code.awk. Arguments: given=1, the file of formulas
# that students get, given=0 answers=1, the files with answers, answers=0, and the files to search. An answer is the
# text between TODO(n) and END(n). It finds
#   - three consecutive statements of a block, with any names of variables,
#   - the formula of a block of at most two statements, or a substantial part of it, even in a document's notation.
# A formula of the solution's given code is not an answer. A .c file may contain a formula: the reference in plain C and
# the suites compute the same results. Prints one line per file and block: "file:line: holds … of FILE, TODO(n)".

BEGIN {
  split("break case cast class const continue do double else enum false float for goto if int long return " \
        "short sizeof static struct switch template true unsigned void while", word, " ")
  for (k in word)
    keyword[word[k]] = 1
  SUBSTANTIAL = 16 # the fewest characters of a formula, without blanks
  WINDOW = 3       # statements
  TOKENS = 24      # the fewest tokens of a window: shorter ones occur everywhere
}

given {
  if (!/^#/)
    formula_is_given[substr($0, 1, index($0, "\t") - 1)]
  next
}

FNR == 1 {
  finish_file()
  start_file()
}

{ line_of_text($0, FNR) }

END { finish_file() }

function start_file() {
  name = FILENAME
  of_answers = answers
  document = name !~ /\.(c|h|cu|cuh)$/
  part = block = in_comment = 0
  split("", seen)
  statements = depth = 0
  current = ""
}

function line_of_text(line, number) {
  if (of_answers && (block_mark(line, "TODO") || block_mark(line, "END"))) {
    end_statement(number)
    part = block_mark(line, "TODO")
    block += part > 0
    return
  }
  if (!of_answers && name !~ /\.c$/)
    look_for_formulas(line, number)
  if (document && line ~ /^[ \t]*(```.*)?$/) {
    end_statement(number)
    depth = 0
  }
  tokens_of(document ? line : c_code(line, 1), number)
}

function tokens_of(line, number,    token) {
  while (match(line, /[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z.]*|"[^"]*"|[^ \t]/)) {
    token = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    depth += (token == "(") - (token == ")")
    if (token ~ /^[{}]$/ || token == ";" && depth <= 0) {
      depth = 0
      end_statement(number)
    } else if (token !~ /^(const|constexpr|static|inline)$/) {
      if (current == "")
        first_line = number
      current = current token " "
    }
  }
}

function end_statement(number) {
  if (current == "" || current ~ /^return [0-9a-z]+ $/) {
    current = ""
    return
  }
  statements++
  text[statements] = current
  where[statements] = first_line
  block_of[statements] = part ? block : 0
  part_of[statements] = part
  current = ""
}

# Consecutive statements, with names numbered in order of appearance.
function window(from, count,    n, k, w, words, result, number, names) {
  result = ""
  size_of_window = 0
  for (n = from; n < from + count; n++) {
    words = split(text[n], w, " ")
    size_of_window += words
    for (k = 1; k <= words; k++)
      if (w[k] !~ /^[A-Za-z_]/ || (w[k] in keyword) || w[k] ~ /^(cuda|__)|Idx$|Dim$/)
        result = result w[k] " "
      else {
        if (!(w[k] in number))
          number[w[k]] = ++names
        result = result "#" number[w[k]] " "
      }
    result = result "; "
  }
  return result
}

function finish_file(    n) {
  end_statement(0)
  for (n = 1; of_answers && n <= statements; n++)
    if (!block_of[n])
      given_text[name] = given_text[name] plain(text[n]) ";"
  for (n = 1; n <= statements; n++)
    if (of_answers)
      take_answer(n)
    else if (n + WINDOW - 1 <= statements)
      look_at(window(n, WINDOW), n)
}

function lab_of(file) {
  return match(file, /[0-9][0-9]_[a-z0-9_]+\//) ? substr(file, RSTART, RLENGTH - 1) : file
}

function take_answer(n,    key, size) {
  if (n + WINDOW - 1 <= statements) {
    key = window(n, WINDOW)
    if (block_of[n] && block_of[n] == block_of[n + WINDOW - 1]) {
      if (size_of_window >= TOKENS)
        answer[key] = answer[key] "\n" name "\t" part_of[n]
    } else if (!block_of[n] && !block_of[n + 1] && !block_of[n + 2])
      is_given[lab_of(name), key] = 1
  }
  if (!block_of[n] || block_of[n - 1] == block_of[n])
    return
  for (size = 1; block_of[n + size] == block_of[n] && n + size <= statements;)
    size++
  for (key = n; size <= 2 && key < n + size; key++)
    take_formula(text[key], part_of[n])
}

# Removes blanks and multiplication signs, which documents omit.
function plain(line) {
  gsub(/−/, "-", line)
  gsub(/√/, "sqrt", line)
  gsub(/ω/, "omega", line)
  gsub(/ρ/, "rho", line)
  gsub(/κ/, "kappa", line)
  gsub(/α/, "alpha", line)
  gsub(/β/, "beta", line)
  gsub(/·|×|[ \t*;]/, "", line)
  return line
}

function take_formula(statement, part,    k, end, depth, open, c) {
  sub(/^.*[^=!<>] = /, "", statement)
  sub(/^.* = /, "", statement)
  sub(/^return /, "", statement)
  statement = plain(statement)
  keep_formula(statement, part)
  for (k = 1; k <= length(statement); k++) {
    c = substr(statement, k, 1)
    if (c ~ /[-+]/ && !open)
      keep_formula(substr(statement, k + 1), part)
    open += (c == "(") - (c == ")")
    if (c == "(") {
      depth = 0
      for (end = k; end <= length(statement); end++) {
        c = substr(statement, end, 1)
        depth += (c == "(") - (c == ")")
        if (!depth)
          break
      }
      keep_formula(substr(statement, k, end - k + 1), part)
    }
  }
}

# The index of a thread is not an answer.
function keep_formula(formula, part) {
  if (length(formula) < SUBSTANTIAL || formula !~ /[-+\/&%<>?]/ || formula ~ /threadIdx/)
    return
  if (!(formula in formula_is_given) && !index(given_text[name], formula))
    formula_of[formula] = name "\t" part
}

function look_for_formulas(line, number,    formula) {
  line = plain(line)
  for (formula in formula_of)
    if (index(line, formula))
      report(number, "the formula '" formula "'", formula_of[formula])
}

function look_at(key, n,    count, at, k) {
  if (!(key in answer))
    return
  count = split(substr(answer[key], 2), at, "\n")
  for (k = 1; k <= count; k++)
    if (!((lab_of(at[k]), key) in is_given))
      report(where[n], "statements", at[k])
}

function report(number, what, source,    of) {
  split(source, of, "\t")
  if (((name, source) in reported))
    return
  reported[name, source] = 1
  printf "%s:%d: holds %s of %s, TODO(%d)\n", name, number, what, of[1], of[2]
}
