# awk -v form=text|json [-v columns=N] -f trace.awk RECORDING: what the recorded warp did, step by step. A step is a run
# of instructions of one source line with the same active lanes. The recording is a file of SIMGPU_TRACE: see "Recording
# one warp" in simgpu/docs/execution.md.

BEGIN {
  FS = "\t"
  most_steps = 2000
  shown_steps = 100 # in the terminal
  for (d = 0; d < 16; d++) {
    lanes = ""
    for (b = 1; b < 16; b *= 2)
      lanes = lanes (int(d / b) % 2 ? "#" : ".")
    nibble[substr("0123456789abcdef", d + 1, 1)] = lanes
  }
}

function mask_text(mask, text, n) { # lane 0 first
  for (n = length(mask); n > 0; n--)
    text = text nibble[substr(mask, n, 1)]
  return text
}

$1 == "kernel" { kernel = $2; launch = $3 }
$1 == "grid" { grid = $2; block = $3 }
$1 == "warp" { at_block = $2; warp = $3 }
$1 == "file" { read_file($2, $3) }
$1 == "array" { kind[$2] = $3; label[$2] = $4; if ($2 >= array_count) array_count = $2 + 1 }
$1 == "run" { instruction($3, $4, $5, $6, $7) }
$1 == "access" { is_left_out || access($2, $3, $4, $5, $6, $7) }
$1 == "lane" { is_left_out || lane($2, $3, $4, $5, $6) }
$1 == "end" { left_instructions += $2 }
$1 == "fault" { fault = $2 ? "The kernel stopped at the last step with an error." : "The kernel stopped with an error of another warp." }

function read_file(number, name, line) {
  if (name ~ /^\/usr\/include\//) {
    is_system[number] = 1
    return
  }
  path[number] = name
  while ((getline line < name) > 0) {
    sub(/\r$/, "", line)
    source[number, ++source_lines[number]] = line
  }
  close(name)
}

# The compiler puts conversions of pointers (cvta) between the instructions of other lines: they belong to no step.
function instruction(mask, file, line, callers, mnemonic, place, count) {
  if (mnemonic ~ /^cvta/)
    return
  while (file in is_system && callers != "") { # the line that calls a function of a system header
    count = split(callers, place, "[:,]")
    file = place[1]
    line = place[2]
    callers = count > 2 ? substr(callers, index(callers, ",") + 1) : ""
  }
  if (file in is_system) { # its caller is unknown
    if (!step_count)
      return
    file = step_file[step_count]
    line = step_line[step_count]
    callers = step_callers[step_count]
  }
  if (!step_count || step_mask[step_count] != mask || step_file[step_count] != file || step_line[step_count] != line ||
      step_callers[step_count] != callers) {
    if (is_left_out = step_count == most_steps) {
      left_instructions++
      return
    }
    step_count++
    step_mask[step_count] = mask
    step_file[step_count] = file
    step_line[step_count] = line
    step_callers[step_count] = callers
  } else if (is_left_out) {
    left_instructions++
    return
  }
  step_code[step_count] = step_code[step_count] (step_code[step_count] == "" ? "" : " ") mnemonic
}

function access(use, space, bytes, count, cost, ideal, a) {
  a = ++access_count
  step_accesses[step_count]++
  if (!(step_count in step_first_access))
    step_first_access[step_count] = a
  a_use[a] = use
  a_space[a] = space
  a_bytes[a] = bytes
  a_vector[a] = count
  a_cost[a] = cost
  a_ideal[a] = ideal
}

function lane(number, address, array, place, value, n) {
  n = ++a_lanes[access_count]
  l_number[access_count, n] = number
  l_address[access_count, n] = address
  l_array[access_count, n] = array
  l_index[access_count, n] = place
  l_value[access_count, n] = value
}

# Names of the kernel's parameters, from its source.

function find_parameters(plain, f, text, n) {
  plain = kernel
  sub(/<.*/, "", plain)
  sub(/.*::/, "", plain)
  for (f in path) {
    text = ""
    for (n = 1; n <= source_lines[f]; n++) {
      line = source[f, n]
      sub(/\/\/.*/, "", line)
      text = text line " "
    }
    gsub(/\/\*[^*]*\*\//, " ", text)
    if (parameters_in(text, plain))
      return
  }
}

function parameters_in(text, plain, start, head) {
  while (start = index(text, "__global__")) {
    text = substr(text, start + 10)
    head = substr(text, 1, 4000)
    if (match(head, "[^A-Za-z0-9_]" plain " *[(]") && substr(head, 1, RSTART) !~ /[;{}]/) {
      split_parameters(substr(head, RSTART + RLENGTH))
      return 1
    }
  }
  return 0
}

function split_parameters(text, n, c, depth, word) { # up to the closing parenthesis
  for (n = 1; n <= length(text); n++) {
    c = substr(text, n, 1)
    if (index("(<[{", c))
      depth++
    if ((c == "," && !depth) || (c == ")" && !depth)) {
      sub(/[ =[].*$/, "", word)
      parameter[++parameters] = word
      word = ""
      if (c == ")")
        return
      continue
    }
    if (index(")>]}", c))
      depth--
    if (c ~ /[A-Za-z0-9_]/ && (substr(text, n - 1, 1) ~ /[A-Za-z0-9_]/))
      word = word c
    else if (c ~ /[A-Za-z0-9_]/ && !depth)
      word = c
  }
}

function array_name(a, parts) {
  if (kind[a] == "parameter")
    return label[a] in parameter ? parameter[label[a]] : "parameter " label[a]
  if (kind[a] == "member") {
    split(label[a], parts, "+")
    return (parts[1] in parameter ? parameter[parts[1]] : "parameter " parts[1]) "+" parts[2]
  }
  return kind[a] == "buffer" ? "buffer " label[a] : label[a]
}

function source_of(s) {
  return (step_file[s] SUBSEP step_line[s]) in source ? source[step_file[s], step_line[s]] : ""
}

function counted(n, word) { return n " " word (n == 1 ? "" : "s") }

function left_text() {
  return left_instructions ? counted(left_instructions, "later instruction") " of this warp: not recorded" : ""
}

END {
  if (!step_count)
    exit
  find_parameters()
  if (form == "json")
    write_json()
  else
    write_text()
}

# Text

function write_text(s, a, shown, pad) {
  gsub(",", " x ", grid)
  gsub(",", " x ", block)
  printf "%s, launch %s of the program: grid %s, block %s; block (%s), warp %s\n", kernel, launch, grid, block, at_block, warp
  print "# active lane   . inactive lane   Another run may order the lanes differently: only barriers and _sync functions order them."
  printf "%5s %5s  %-32s  %s\n", "step", "line", "lane 0                   lane 31", path[step_file[1]]
  shown = step_count < shown_steps ? step_count : shown_steps
  for (s = 1; s <= shown; s++) {
    pad = source_of(s)
    gsub(/^[ \t]+/, "", pad)
    print_line(sprintf("%5d %5d  %s  %s%s", s, step_line[s], mask_text(step_mask[s]), called_from(s), pad))
    for (a = step_first_access[s]; a && a < step_first_access[s] + step_accesses[s]; a++)
      print_line(sprintf("%12s %s", "", access_text(a)))
  }
  if (shown < step_count)
    print counted(step_count - shown, "later step") ": in the page only"
  if (left_text())
    print left_text()
  if (fault)
    print fault
}

function called_from(s, calls) {
  if (step_callers[s] == "")
    return ""
  split(step_callers[s], calls, "[,:]")
  return "(called from line " calls[2] ") "
}

function print_line(text) {
  print (columns > 20 && length(text) > columns ? substr(text, 1, columns - 3) "..." : text)
}

function access_text(a, text, n, most, verb) {
  verb = a_use[a] == "read" ? "reads" : a_use[a] == "write" ? "writes" : "updates"
  text = verb " " (a_space[a] == "shared" ? "shared " : "") cost_text(a) ":"
  most = a_lanes[a] < 4 ? a_lanes[a] : 3
  for (n = 1; n <= most; n++)
    text = text (n > 1 ? "," : "") " lane " l_number[a, n] " " array_name(l_array[a, n]) "[" l_index[a, n] "] = " rounded(l_value[a, n])
  return most < a_lanes[a] ? text ", and " counted(a_lanes[a] - most, "other lane") : text
}

function rounded(values, parts, count, n, text) {
  count = split(values, parts, " ")
  for (n = 1; n <= count; n++)
    text = text (n > 1 ? " " : "") (length(parts[n]) > 8 && parts[n] ~ /[.e]/ ? sprintf("%.6g", parts[n]) : parts[n])
  return text
}

function cost_text(a) {
  if (a_space[a] == "shared")
    return "(" counted(a_cost[a], "wavefront") ", " counted(a_cost[a] - a_ideal[a], "bank conflict") ")"
  return a_space[a] == "global" ? "(" counted(a_cost[a], "sector") ")" : "(" a_space[a] ")"
}

# JSON

function quoted(text) {
  gsub(/\\/, "&&", text)
  gsub(/"/, "\\\"", text)
  gsub(/\t/, "\\t", text)
  gsub(/[\001-\037\177]/, " ", text)
  gsub(/</, "\\u003c", text) # no end of the page's script
  return "\"" text "\""
}

function write_json(f, n, s, comma) {
  printf "{\"kernel\":%s,\"launch\":%s,\"grid\":[%s],\"block\":[%s],\"at\":[%s],\"warp\":%s,\n", quoted(kernel), launch, grid,
    block, at_block, warp
  printf "\"left\":%s,\"fault\":%s,\"arrays\":[", quoted(left_text()), quoted(fault)
  for (n = 0; n < array_count; n++)
    printf "%s{\"kind\":%s,\"name\":%s}", n ? "," : "", quoted(kind[n]), quoted(array_name(n))
  printf "],\n\"files\":{"
  for (f in path) {
    printf "%s%s:{\"path\":%s,\"lines\":[", comma, quoted(f), quoted(path[f])
    for (n = 1; n <= source_lines[f]; n++)
      printf "%s%s", (n > 1 ? ",\n" : ""), quoted(source[f, n])
    printf "]}"
    comma = ",\n"
  }
  print "},\n\"steps\":["
  for (s = 1; s <= step_count; s++)
    write_step(s)
  print "]}"
}

function write_step(s, a, calls, n, count, pair) {
  count = split(step_callers[s], calls, ",")
  printf "%s{\"file\":%s,\"line\":%s,\"mask\":%s,\"code\":%s,\"calls\":[", (s > 1 ? ",\n" : ""), quoted(step_file[s]), step_line[s],
    quoted(mask_text(step_mask[s])), quoted(step_code[s])
  for (n = 1; n <= count; n++) {
    split(calls[n], pair, ":")
    printf "%s[%s,%s]", (n > 1 ? "," : ""), quoted(pair[1]), pair[2]
  }
  printf "],\"accesses\":["
  for (a = step_first_access[s]; a && a < step_first_access[s] + step_accesses[s]; a++)
    write_access(a, a > step_first_access[s])
  printf "]}"
}

function write_access(a, is_next, n) {
  printf "%s{\"use\":%s,\"space\":%s,\"bytes\":%s,\"count\":%s,\"cost\":%s,\"ideal\":%s,\"lanes\":[", is_next ? "," : "",
    quoted(a_use[a]), quoted(a_space[a]), a_bytes[a], a_vector[a], a_cost[a], a_ideal[a]
  for (n = 1; n <= a_lanes[a]; n++)
    printf "%s[%s,%s,%s,%s,%s]", (n > 1 ? "," : ""), l_number[a, n], l_address[a, n], l_array[a, n], l_index[a, n],
      quoted(l_value[a, n])
  printf "]}"
}
