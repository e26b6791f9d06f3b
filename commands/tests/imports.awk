# Checks includes and calls between rooms and files: awk -f c_code.awk -f imports.awk [-v picture=1] rooms SOURCE...
# Prints violations of the declared order, and cycles among the files of a room; then the exit status is 1. A node is
# X.c with X.h. Names of headers are clear: two rooms' headers of one name are told apart where they are included. An
# edge is an #include, or the name of a function that another file of the room defines.

function fault(text) { print text; faults++ }

function read_wall(line,   may, i, n) { # wall FOLDER: OPENING ROOM …
  walled = line
  sub(/^wall */, "", walled)
  sub(/:.*/, "", walled)
  sub(/^[^:]*: */, "", line)
  n = split(line, may, " ")
  for (i = 1; i <= n; i++) opening[may[i]]
}

function is_within(room) { return index(room, walled "/") == 1 }

function read_room(line,   name, may, i, n) {
  name = line
  sub(/:.*/, "", name)
  n = split(substr(line, length(name) + 2), may, " ")
  for (i = 1; i <= n; i++) {
    if (is_within(name) != is_within(may[i]) && (is_within(name) || !(may[i] in opening)))
      fault("rooms: " name " may include " may[i] ", through the wall of " walled)
    if (!(may[i] in is_room)) fault("rooms: " name " may include " may[i] ", which is not a room above it")
    allowed[name, may[i]] = 1
  }
  is_room[name] = 1
  order[++rooms] = name
}

function read_cycle(line,   field) { # cycle ROOM: NODE NODE: REASON
  if (split(line, field, ": *") < 3 || field[3] == "") fault("rooms: '" line "': expected cycle ROOM: FILES: REASON")
  sub(/^cycle */, "", field[1])
  reason[field[1] ": " field[2]] = field[3]
}

function room_of(file,   name) {
  for (name = file; !(name in is_room); )
    if (!sub(/\/[^\/]*$/, "", name)) return ""
  return name
}

function node_of(file) { sub(/\.[a-z]+$/, "", file); return file }

function shared_folders(a, b,   x, y, n, i) {
  n = split(a, x, "/")
  split(b, y, "/")
  for (i = 1; i < n && x[i] == y[i]; ) i++
  return i
}

function ends_in(path, header) { return substr("/" path, length(path) - length(header) + 1) == "/" header }

# The file that an #include names: the one at this path from the includer, else the nearest one whose path ends so.
function included(file, header,   base, path, n, candidate, i, best) {
  base = header
  sub(/.*\//, "", base)
  path = file
  sub(/[^\/]*$/, "", path)
  path = path header
  while (sub(/[^\/]+\/\.\.\//, "", path)) continue
  if (path in known) return path
  n = split(files_named[base], candidate, " ")
  for (i = 1; i <= n; i++)
    if (ends_in(candidate[i], header) && (best == "" || shared_folders(file, candidate[i]) > shared_folders(file, best))) best = candidate[i]
  return best
}

# A definition begins in column 0, and the first line that ends in { opens it; one that ends in ; makes
# it a declaration.
function read_definition(code,   name) {
  if (code ~ /^[A-Za-z_]/ && code !~ /^(typedef|struct [a-z_]+ \{|enum|union|C_LINKAGE_)/) head = code
  else if (head != "" && code !~ /^[#}]/) head = head " " code
  if (code ~ /^}/) body = head = ""
  if (head == "" || head !~ /[;{] *$/) return
  if (head ~ /\{ *$/ && head ~ /\(/ && head !~ /=/) {
    name = head
    gsub(/__attribute__ *\(\([^)]*\)+/, "", name)
    sub(/ *\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    body = name
    defined_here[FILENAME, name] = 1
    if (head !~ /^(static|inline)/ && FILENAME ~ /\.c$/) {
      where = room_of(FILENAME)
      definitions[where, name]++
      definer[where, name] = node_of(FILENAME)
    }
  }
  head = ""
}

function note(from, to, by) {
  if (from == to || ((from, to) in edge)) return
  edge[from, to] = by
}

# Of headers with the same name in several rooms, only one room's may be included by the bare name.
function note_bare(header, room) {
  if (!(header in bare)) bare[header] = room
  else if (bare[header] != room && !((header, room) in told)) {
    told[header, room] = 1
    fault(FILENAME ":" FNR ": includes " header " of " room ", and other files mean that of " bare[header] ": expected " \
      "its room before the name, or another name")
  }
}

function read_include(header,   target, from_room, to_room) {
  target = included(FILENAME, header)
  if (target == "") {
    fault(FILENAME ":" FNR ": includes " header ", which does not exist")
    return
  }
  from_room = room_of(FILENAME)
  to_room = room_of(target)
  if (header !~ /\//) note_bare(header, to_room)
  if (from_room == to_room) note(node_of(FILENAME), node_of(target), "#include")
  else {
    arrows[from_room, to_room]++
    if (!((from_room, to_room) in allowed))
      fault(FILENAME ":" FNR ": includes " header ": " from_room " must not depend on " to_room)
  }
}

FNR == 1 { in_comment = 0; head = body = "" }
FILENAME == ARGV[1] && FNR == 1 {
  for (i = 2; i < ARGC; i++) {
    base = ARGV[i]
    sub(/.*\//, "", base)
    known[ARGV[i]] = 1
    files_named[base] = files_named[base] " " ARGV[i]
  }
}
FILENAME == ARGV[1] {
  if (/^cycle /) read_cycle($0)
  else if (/^wall /) read_wall($0)
  else if (/^[^#]/) read_room($0)
  next
}
FNR == 1 && room_of(FILENAME) == "" { fault(FILENAME ": belongs to no room of commands/tests/rooms") }
/^# *include *"/ { split($0, quoted, "\""); read_include(quoted[2]); next }
{
  code = c_code($0)
  read_definition(code)
  if (code ~ /^[ \t]/ && (body != "" || FILENAME !~ /\.h$/))
    while (match(code, /[A-Za-z_][A-Za-z_0-9]*/)) {
      word = substr(code, RSTART, RLENGTH)
      code = substr(code, RSTART + RLENGTH)
      if (!((FILENAME, word) in mentioned)) mentioned[FILENAME, word] = FNR
    }
}

function add_calls(   key, part, where) {
  for (key in mentioned) {
    split(key, part, SUBSEP)
    where = room_of(part[1])
    if (definitions[where, part[2]] == 1 && !(key in defined_here))
      note(node_of(part[1]), definer[where, part[2]], part[2])
  }
}

function short(node, where) { return node == where ? node : substr(node, length(where) + 2) }

# Components of the room's files that reach one another.
function find_cycles(where,   n, node, key, part, i, j, k, seen, members, cycle, count) {
  for (key in edge) {
    split(key, part, SUBSEP)
    if (room_of(part[1] ".c") != where && room_of(part[1] ".h") != where) continue
    for (i = 1; i <= 2; i++) if (!(part[i] in seen)) { seen[part[i]] = 1; node[++n] = part[i] }
    reach[part[1], part[2]] = 1
  }
  for (i = 2; i <= n; i++) # by name
    for (j = i; j > 1 && node[j] < node[j - 1]; j--) { k = node[j]; node[j] = node[j - 1]; node[j - 1] = k }
  for (k = 1; k <= n; k++)
    for (i = 1; i <= n; i++)
      if ((node[i], node[k]) in reach)
        for (j = 1; j <= n; j++) if ((node[k], node[j]) in reach) reach[node[i], node[j]] = 1
  for (i = 1; i <= n; i++) {
    if (!((node[i], node[i]) in reach) || !(node[i] in seen)) continue
    members = ""
    count = 0
    for (j = i; j <= n; j++)
      if (((node[i], node[j]) in reach) && ((node[j], node[i]) in reach)) {
        cycle[++count] = node[j]
        members = members " " short(node[j], where)
        delete seen[node[j]]
      }
    report_cycle(where, substr(members, 2), cycle, count)
  }
}

function report_cycle(where, members, cycle, count,   i, j, name) {
  name = where ": " members
  if (name in reason) {
    used[name] = 1
    if (picture) print "cycle  " name " (" reason[name] ")"
    return
  }
  fault("cycle  " name)
  for (i = 1; i <= count; i++)
    for (j = 1; j <= count; j++)
      if ((cycle[i], cycle[j]) in edge)
        print "          " short(cycle[i], where) " -> " short(cycle[j], where) " (" edge[cycle[i], cycle[j]] ")"
}

END {
  for (i = 1; picture && i <= rooms; i++) {
    line = ""
    for (j = 1; j <= rooms; j++)
      if ((order[i], order[j]) in arrows) line = line " " order[j] " (" arrows[order[i], order[j]] ")"
    printf "%-20s -> %s\n", order[i], line == "" ? "nothing of the kit" : substr(line, 2)
  }
  add_calls()
  for (i = 1; i <= rooms; i++) find_cycles(order[i])
  for (name in reason) if (!(name in used)) fault("rooms: the cycle " name " no longer exists: remove its line")
  exit faults > 0
}
