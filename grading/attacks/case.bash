# shellcheck shell=bash
# case.bash: within a cell, prepares one case, grades it, and checks the invariants. cell sources it with the arguments
# --inside CASE. Descriptor 3 gets the row, 8 an archive of the reports, 9 is the folder of all changes to the disk.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
kit=${here%/grading/attacks}
build=$ATTACK_BUILD
name=$2
with=${name#*:}
base=${name%:*}
[[ $name == *:* ]] || with=''
file=$here/$base
control=0
out=/tmp/out
work=/tmp/work
why=''
late=0

failed() { why="${why:+$why; }$1"; }

# --- preparation ---

told() { sed -nE "s/^(\/\/|#) $1: ?//p" "$file" | head -n 1; } # a line "// NAME: value" of the case's file
says() { grep -qE "^(//|#) $1$" "$file"; }

find_file() {
  if [[ $name == control/* ]]; then
    control=1
    file=$kit/grading/variants/${name#control/}.cu
    lab=${name#control/}
    lab=${lab%%/*}
  elif [[ -f $file.cu ]]; then
    file=$file.cu
    lab=$(told lab)
  else
    file=$file.bash
    lab=$(told lab)
  fi
  [[ -f $file ]] || { echo "$name: no such case" >&2 && exit 2; }
  lab=$(basename "$kit/labs/${lab:-03}"*)
  number=${lab:0:2}
  program=$(basename "$kit/solutions/$lab/"*.cu)
}

word() { printf 'canary%s%s' "$1" "$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')"; }

# Secrets that no report may show: in a file, the grader's environment, the solution's folder and a hidden item.
plant() {
  in_file=$(word F) in_environment=$(word E) in_solutions=$(word S) hidden=$(word H)
  mkdir -p /srv/secret "$work" "$out"
  echo "$in_file" >/srv/secret/word
  echo 'do not touch' >/srv/secret/victim
  chmod 600 /srv/secret/*
  echo "$in_solutions" >"$kit/solutions/$lab/word"
  sed -i "s|// Lab .*|& $in_solutions|" "$kit/solutions/$lab/$program"
  sed -i "s/title = \"the same bits as lab 02\"/public = false; title = \"$hidden\"/" "$kit/grading/rubric/03.cfg"
  mkdir /tmp/honest
  cp "$kit/solutions/03_compressed/compressed.cu" /tmp/honest
}

has_blocks() { grep -qE '^ *// (TODO\(|INSTEAD OF: )' "$1"; }

# The text that the hostile part is added to: a skeleton, a solution, or a mutant of it.
base_text() {
  local from
  from=$(told base)
  case $from in
    '') cat "$kit/labs/$lab/$program" ;;
    none) ;;
    solution) cat "$kit/solutions/$lab/$program" ;;
    *) "$build/grading/mutants/splice" "$kit/solutions/$lab/$program" "$kit/grading/mutants/$lab/$from.cu" /tmp/base.cu &&
      cat /tmp/base.cu && rm /tmp/base.cu ;;
  esac
}

# The submission: the words and functions of attack.h, the hostile part, and the base.
write_source() {
  local hook='s/x/x/'
  says hook && hook='s/int block\[2\], grid\[2\];/& hook();/; s/walk_kernel<<</hook(); &/'
  {
    says 'plain' || echo "#define WITH ${with:-0}"
    says 'plain' || cat "$here/attack.h"
    cat "$file"
    base_text | sed "$hook"
  } | sed "s|@KIT@|$kit|g; s|@BUILD@|$build|g; s|@SECRET@|/srv/secret|g" >"$1"
}

make_submission() {
  mkdir /tmp/handed_in
  submission=/tmp/handed_in/$program
  if ((control)) && has_blocks "$file"; then
    "$build/grading/mutants/splice" "$kit/solutions/$lab/$program" "$file" "$submission"
  elif ((control)); then
    cp "$file" "$submission"
  elif [[ $file == *.bash ]]; then
    cd /tmp/handed_in || exit
    # shellcheck source=/dev/null
    source "$file" # may set submission
    cd / || exit
  else
    write_source "$submission"
  fi
}

make_class() {
  mkdir -p /tmp/class/ada /tmp/class/mallory /tmp/class/zoe
  cp "/tmp/honest/compressed.cu" /tmp/class/ada
  cp "/tmp/honest/compressed.cu" /tmp/class/zoe
  cp "$submission" /tmp/class/mallory
}

# Defences are removed here, before anything is graded.
remove_defence() {
  [[ -z $ATTACK_WITHOUT ]] || bash "$here/without" "$ATTACK_WITHOUT" || { echo "without $ATTACK_WITHOUT: cannot" >&2 && exit 2; }
}

# --- grading ---

# The cell's first process keeps the time itself: an attack may stop or kill any other.
grade() { # grade SECONDS ARGUMENT...
  local n
  CANARY=$in_environment TMPDIR=$work PATH=/opt/without:$PATH "$build/grading/grade" "${@:2}" 3>&- 7>&- 8>&- 9<&- </dev/null &
  for ((n = 5 * $1; n > 0; n--)); do
    kill -0 $! 2>/dev/null || break
    read -r -t 0.2 -u 7 || true
  done
  ((n > 0)) || late=1
  ((n > 0)) || kill -KILL -1
  wait $!
}

run_grade() {
  local limit
  local -a level=()
  limit=$(told seconds)
  [[ -z $ATTACK_ISOLATION ]] || level=(--isolation "$ATTACK_ISOLATION")
  local -a how=(--lab "$number" --json "$out/result.json" "$submission")
  says class && how=(--lab "$number" --class /tmp/class --jobs 2)
  grade "${limit:-60}" "${level[@]}" --format html,gradescope,autolab,prairielearn,junit,tap --out "$out" "${how[@]}" \
    >>"$out/log" 2>>"$out/errors" || status=$?
}

# --- invariants ---

# All that is on disk, except reports: changed files, temporary files, shared memory, message queues.
snapshot() {
  (cd /proc/self/fd/9 && find . -type d -printf '%p %m\n' -o -printf '%p %y %s %T@\n')
  find /tmp /dev/shm /dev/mqueue -path "$out" -prune -o -type d -printf '%p %m\n' -o -printf '%p %y %s %T@\n'
  tail -n +2 -q /proc/sysvipc/shm /proc/sysvipc/sem /proc/sysvipc/msg | awk '{ print "SysV", $1, $2 }'
}

# Sets left to the names of all processes except the cell's own, which is the first.
look_for_others() {
  local folder comm
  left=''
  for folder in /proc/[0-9]*; do
    [[ $folder == /proc/1 ]] || ! read -r comm <"$folder/comm" || left+="$comm "
  done 2>/dev/null
}

check_processes() {
  local n left
  for ((n = 0; n < 10; n++)); do
    look_for_others
    [[ $left ]] || return 0
    sleep 0.1
  done
  failed "processes are left: ${left:0:60}"
  kill -KILL -1 || true
  wait
}

check_disk() {
  local difference
  snapshot >/tmp/out/after
  # the grader's locks of users are in /run/checkerboard
  difference=$(diff "$out/before" "$out/after" | grep '^[<>]' | grep -vE "/run( [0-7]+|/checkerboard.*)$|$work\$" || true)
  [[ -z $difference ]] ||
    failed "left behind: $(head -n 2 <<<"$difference" | tr -s ' \n' ' ')($(wc -l <<<"$difference"))"
  rm "$out/before" "$out/after"
}

check_secrets() {
  local found
  found=$(grep -rlaE "$in_file|$in_environment|$in_solutions" "$out" || true)
  [[ -z $found ]] || failed "a secret is in $(tr '\n' ' ' <<<"$found")"
  found=$(grep -rlaE "$hidden" "$out" --exclude=result.json || true)
  [[ -z $found ]] || failed "the name of a hidden item is in $(tr '\n' ' ' <<<"$found")"
}

# Commands for CI services, and characters that change what a terminal or a reader sees.
check_text() {
  local -r harmful='\x1b|[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]'
  ! grep -qaE '^(::|##\[|##vso)' "$out/log" "$out/errors" || failed 'a command of a CI service is printed'
  ! LC_ALL=C grep -qaP "$harmful" "$out/log" "$out/errors" || failed 'control or bidirectional characters are printed'
}

# An attack that achieves its deed says so: attack.h.
check_deeds() {
  local deed
  deed=$(grep -rhoaE 'DEED: [^"<\\]*' "$out" | head -n 1 || true)
  [[ -z $deed ]] || failed "${deed#DEED: }"
}

check_result() { # check_result RESULT
  local text expected most
  verdict=none points=- most=$(told points) expected=$(told expect)
  if ! text=$("$build/grading/attacks/check_result" "$kit/grading/result.schema.json" "$1" 2>&1); then
    failed "no result: $text"
    return
  fi
  read -r verdict points max <<<"$text"
  if ((control)); then
    [[ $verdict == PASS && $points == "$max" ]] || failed "expected PASS and full marks"
    return
  fi
  awk -v p="${points/null/0}" -v most="${most:-0}" 'BEGIN { exit !(p <= most + 0.005) }' ||
    failed "expected at most ${most:-0} points"
  : "${expected:=WRONG UNWRITTEN CRASH TIMEOUT MEMORY OUTPUT VIOLATION COMPILE MISSING}"
  [[ " $expected " == *" $verdict "* ]] || failed "expected ${expected// / or }"
}

check_honest() { # the next grading of a correct submission
  local text='' status=0 verdict points max
  grade 120 --lab 03/index --json "$out/honest.json" /tmp/honest/compressed.cu >"$out/honest.log" 2>&1 || status=$?
  text=$("$build/grading/attacks/check_result" "$kit/grading/result.schema.json" "$out/honest.json" 2>&1) || true
  read -r verdict points max <<<"$text"
  [[ $status == 0 && $verdict == PASS && $points == "$max" ]] || failed "the next honest grading: $(head -c 80 <<<"${text:-none}")"
}

check_neighbours() {
  local student text
  for student in ada zoe; do
    text=$("$build/grading/attacks/check_result" "$kit/grading/result.schema.json" \
      "$out/submissions/$student/result.json" 2>&1) || true
    [[ $text == 'PASS 100 100' ]] || failed "$student, who is honest, has: $(head -c 80 <<<"${text:-none}")"
  done
}

mkfifo /tmp/never
exec 7<>/tmp/never # nothing is ever written to it
find_file
plant
make_submission
remove_defence
if says class; then make_class; fi
snapshot >"$out/before"
status=0
SECONDS=0
run_grade
seconds=$SECONDS
((!late)) || failed "the grader did not end in time"
check_processes
check_disk
result=$out/result.json
if says class; then
  run_grade # a forged result must not be kept
  check_neighbours
  result=$out/submissions/mallory/result.json
fi
check_result "$result"
check_secrets
check_text
check_deeds
check_honest
tar -C "$out" -cf - . /tmp/handed_in >&8 2>/dev/null || true
printf '%-36s %-10s %8s %6s  %s\n' "$name" "$verdict" "$points" "$seconds" "${why:+SUCCEEDED: }${why:-ok}" >&3
