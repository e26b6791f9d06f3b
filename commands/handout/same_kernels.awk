# Finds the kernels of a copy that are answers. Input: "role <tab> file <tab> instructions <tab> name <tab> normal
# form" from kernels.awk. All answers (role answer) and all kernels of the skeletons (role given) come before those
# of the copy (role copy). An answer is a kernel of a solution that its own skeleton lacks. A kernel of the copy is
# an answer if
#   - it has at least SMALL instructions and the same normal form: every CUDA program has a shorter fill or copy;
#   - or it has at least LARGE instructions and shares the fraction ALIKE of both kernels' instructions, in any order:
#     another compiler or another index type changes no more. A skeleton resembles its own solution and is exempt.
BEGIN {
  FS = "\t"
  SMALL = 8
  LARGE = 30
  ALIKE = 0.7 # of the instructions of both together
}

function lab_of(file) {
  return match(file, /[0-9][0-9]_[a-z0-9_]+\//) ? substr(file, RSTART, RLENGTH - 1) : ""
}

$1 == "given" { given[lab_of($2), $5] = 1 }
$1 == "answer" { answers++; file[answers] = $2; size[answers] = $3; title[answers] = $4; form[answers] = $5 }
$1 == "copy" && $3 >= SMALL { look_at($2, $3, $4, $5) }

# Counts instructions, except addresses of parameters, copies of registers and branches.
function count_opcodes(normal, counts,    words, w, k, n, opcode) {
  n = 0
  words = split(normal, w, " ")
  for (k = 1; k <= words; k++) {
    opcode = w[k]
    sub(/^@!?%p#[0-9]+/, "", opcode)
    if (!match(opcode, /^[a-z][a-z0-9_.]*/))
      continue
    opcode = substr(opcode, 1, RLENGTH)
    if (opcode ~ /^(ld\.param|cvta|mov|bra)/)
      continue
    counts[opcode]++
    n++
  }
  return n
}

function prepare(    a, k, counts, opcode) {
  for (a = 1; a <= answers; a++) {
    if ((lab_of(file[a]), form[a]) in given)
      continue
    is_answer[a] = 1
    answer_of[form[a]] = a
    split("", counts)
    total[a] = count_opcodes(form[a], counts)
    for (opcode in counts)
      of_answer[a, opcode] = counts[opcode]
  }
  prepared = 1
}

function look_at(path, instructions, name, normal,    counts, n, a, opcode, both, best, alike) {
  if (!prepared)
    prepare()
  if (normal in answer_of) {
    report(path, name, "is", answer_of[normal])
    return
  }
  if (instructions < LARGE)
    return
  n = count_opcodes(normal, counts)
  for (a in is_answer) {
    if (size[a] < LARGE || lab_of(path) != "" && lab_of(path) == lab_of(file[a]))
      continue
    both = 0
    for (opcode in counts)
      if ((a, opcode) in of_answer)
        both += counts[opcode] < of_answer[a, opcode] ? counts[opcode] : of_answer[a, opcode]
    if (both / (n + total[a] - both) > alike) {
      alike = both / (n + total[a] - both)
      best = a
    }
  }
  if (alike >= ALIKE)
    report(path, name, sprintf("shares %d %% of the instructions with", 100 * alike), best)
}

function report(path, name, how, a) {
  printf "%s: kernel %s %s %s of %s\n", path, name, how, title[a], file[a]
}
