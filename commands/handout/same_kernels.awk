# Which kernels of a copy are answers. Input: "role <tab> file <tab> instructions <tab> name <tab> normal form" of
# kernels.awk, all answers (role answer) and all kernels of the skeletons (role given) before those of the copy (role
# copy). An answer is a kernel of a solution that its own skeleton lacks. A kernel of the copy is one
#   - with the same normal form, from SMALL instructions on: every CUDA program has a shorter fill or copy,
#   - or, from LARGE instructions on, with ALIKE of the instructions of both in common, in any order: another compiler, and
#     other types of indices, change no more. A skeleton is like its own solution and exempt from this.
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

# Counts the instructions that are not about addresses of parameters, copies of registers and jumps.
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
