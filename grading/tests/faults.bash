# shellcheck shell=bash disable=SC2154 # test_faults sets them, and calls the parts
# Parts of test_faults: faults that a library lets happen (faults.c), graders that are killed, many graders at once,
# tools that are missing, and folders for results without room.

# faulty KIND SEED EVERY: grades lab 03's lanes; its exit status is in $status.
faulty() {
  status=0
  rm -f result.json failed
  FAULTS=$1 FAULTS_SEED=$2 FAULTS_EVERY=$3 FAULTS_LOG=$tree/failed LD_PRELOAD=$faults \
    "$grade" --seed 7 --jobs 1 --lab 03/lanes --json result.json "$solution" >log 2>errors || status=$?
  if [[ -s failed ]]; then
    happened=$((happened + 1))
  fi
}

full_marks() { verdict PASS && [[ $(sed -n 's/^ "points": //p' result.json) == "$(sed -n 's/^ "max_points": //p' result.json)" ]]; }
no_grade() { [[ ! -e result.json ]] || verdict INFRA; }
without_times() { grep -v '"seconds"' "$1"; }

full_marks_or_infra() { # full_marks_or_infra WHAT
  case $status in
    0) expect "seed $1: full marks" full_marks ;;
    2) expect "seed $1: INFRA" no_grade ;;
    *) expect "seed $1: exit status 0 or 2, not $status" false ;;
  esac
  expect "seed $1: nothing is left in TMPDIR" no_folder
}

allocation() { # FAULTS_RUNS: how many gradings
  local seed happened=0
  for ((seed = 1; seed <= ${FAULTS_RUNS:-2}; seed++)); do
    faulty allocation "$seed" $((seed % 2 ? 5000 : 50000))
    full_marks_or_infra "$seed"
    FAULTS_ONLY=simgpu-device faulty allocation "$seed" $((10 * seed))
    full_marks_or_infra "$seed, in the device"
    FAULTS_ONLY=simgpu-device faulty mapping "$seed" $((1 + seed))
    full_marks_or_infra "$seed, maps"
  done
  expect 'allocations fail' test "$happened" -gt 0
}

interruption() {
  local seed happened=0
  run 0 --seed 7 --jobs 1 --lab 03/lanes --json result.json "$solution"
  cp result.json plain.json
  for ((seed = 1; seed <= ${FAULTS_RUNS:-2}; seed++)); do
    faulty interruption "$seed" 5
    expect "seed $seed: exit status 0, not $status" test "$status" = 0
    expect "seed $seed: the same result" cmp <(without_times plain.json) <(without_times result.json)
  done
  expect 'system calls are interrupted' test "$happened" -gt 0
}

# --- kill -9 ---

two() { # a class of two
  mkdir -p two_of/ada two_of/bob
  cp "$solution" two_of/ada
  echo '#error' >two_of/bob/compressed.cu
}

grade_two() { "$grade" "${few[@]}" --class two_of --lab 03 --seed 7 --jobs 2 --isolation "${ISOLATION:-none}" --out "$@"; }
grade_one() { "$grade" --lab 03/index --seed 7 --jobs 2 --json "$1" "$solution"; }

# A reader takes it: it is complete.
is_whole() { [[ ! -e $1 ]] || "$(dirname "$grade")/reports/report" --result "$1" --format tap --out read >/dev/null; }

# Kills the grader that was started last, or its child that grades, or both.
kill_one() {
  local child
  child=$(pgrep -P "$1" | head -n 1 || true)
  case $((RANDOM % 3)) in
    0) kill -KILL "$1" ;;
    1) kill -KILL "${child:-$1}" ;;
    2) kill -KILL "$1" ${child:+"$child"} ;;
  esac 2>/dev/null || true
}

no_grader() { ! pgrep -f "$tree/killed_two" >/dev/null; } # the other processes of one that was killed
no_process() { ! pgrep -f "$TMPDIR/checkerboard-grade" >/dev/null; }

kills() { # FAULTS_KILLS: how many
  local n file killed=0 status
  two
  grade_two plain_two >log 2>errors || expect 'the class is graded' false
  grade_one plain_one.json >log 2>errors || expect 'the submission is graded' false
  for ((n = 1; n <= ${FAULTS_KILLS:-6}; n++)); do
    if ((n % 2)); then
      wait_for no_grader || true
      rm -rf killed_two
      grade_two "$tree/killed_two" --again >log 2>errors &
    else
      grade_one killed_one.json >log 2>errors &
    fi
    sleep "$((RANDOM % 2)).$((RANDOM % 10))"
    kill_one $!
    status=0
    wait $! 2>/dev/null || status=$?
    killed=$((killed + (status != 0)))
    for file in killed_one.json killed_two/submissions/*/result.json; do
      expect "kill $n: $file is complete or absent" is_whole "$file"
    done
  done
  expect 'graders are killed' test "$killed" -gt 0
  expect 'their processes end' wait_for no_process
  grade_two killed_two >log 2>errors || expect 'the class is graded after all kills' false
  grade_one killed_one.json >log 2>errors || expect 'the submission is graded after all kills' false
  expect 'the grades of the class' cmp plain_two/summary.csv killed_two/summary.csv
  expect 'the grade of the submission' cmp <(without_times plain_one.json) <(without_times killed_one.json)
  expect 'no folder is left' no_folder
  echo "$killed of $((n - 1)) graders were killed before they ended"
}

# --- many at once ---

at_once() {
  local n jobs=()
  two
  grade_two plain_at_once >log 2>errors || expect 'the class is graded' false
  grade_one plain_at_once.json >log 2>errors || expect 'the submission is graded' false
  for ((n = 1; n <= 8; n++)); do
    if ((n % 4)); then grade_one "once.$n.json"; else grade_two "once.$n"; fi >"once.$n.log" 2>&1 &
    jobs+=($!)
  done
  for n in "${jobs[@]}"; do
    expect 'a grader of 8 ends well' wait "$n"
  done
  for ((n = 1; n <= 8; n++)); do
    if ((n % 4)); then
      expect "grader $n: the same result" cmp <(without_times plain_at_once.json) <(without_times "once.$n.json")
    else
      expect "grader $n: the same grades" cmp plain_at_once/summary.csv "once.$n/summary.csv"
    fi
  done
  expect 'nothing is left in TMPDIR' no_folder
}

users_of_programs() { # a line for each user of a program that runs
  ps -o uid= -p "$(pgrep -d , -f "^$TMPDIR/[^ ]*/program ")" | sort -u
}
two_users() { [[ $(users_of_programs 2>/dev/null | wc -l) -ge 2 ]]; }

users() {
  local first second
  if [[ $(id -u) != 0 || ! -w /run ]]; then
    skip_part 'a user of its own for each program' 'only root gives it'
    return
  fi
  hooked 'sleep(5);' sleeps.cu
  "$grade" --lab 03/sweep --jobs 1 sleeps.cu >log 2>&1 &
  first=$!
  "$grade" --lab 03/sweep --jobs 1 sleeps.cu >log.2 2>&1 &
  second=$!
  expect 'programs of two graders are different users' wait_for two_users
  kill "$first" "$second"
  wait "$first" "$second" 2>/dev/null || true
}

# --- out of memory ---

# The kernel kills what a group of processes uses beyond its limit, as in a container.
make_group() { # make_group BYTES: the folder of the group is $group
  local folder file
  for folder in /sys/fs/cgroup/memory /sys/fs/cgroup; do
    group=$folder/checkerboard.$$
    mkdir "$group" 2>/dev/null || continue
    for file in memory.limit_in_bytes memory.max; do
      [[ ! -w $group/$file ]] || ! echo "$1" >"$group/$file" 2>/dev/null || return 0
    done
    rmdir "$group"
  done
  return 1
}

killed_by_the_kernel() { # killed_by_the_kernel BYTES SUBMISSION WORDS
  make_group "$1" || return 1
  status=0
  # shellcheck disable=SC2016 # the inner shell expands it
  sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$grade" --jobs 1 --lab 03/sweep --json result.json "$2" \
    >log 2>errors || status=$?
  expect "$3: exit status 2, not $status" test "$status" = 2
  expect "$3: INFRA" no_grade
  expect "$3: nothing is left" no_folder
  expect "$3: no process is left" wait_for rmdir "$group"
}

memory() {
  if ! killed_by_the_kernel 60M "$solution" 'a compiler without memory'; then
    skip_part 'the kernel ends programs without memory' 'no memory groups here'
    return
  fi
  sed -e 's/int block\[2\], grid\[2\];/& static void *volatile own = memset(malloc(400 << 20), 1, 400 << 20);/' \
    -e '/#include "compressed.h"/a #include <stdlib.h>\n#include <string.h>' "$solution" >large.cu
  killed_by_the_kernel 350M large.cu 'a program without memory'
}

# --- missing tools ---

lacks() { # lacks KEY PATH WORDS: the installation names a file that is not there
  sed "s|$1 = \"[^\"]*\"|$1 = \"$2\"|" "$kit" >lacks.cfg
  run 2 --installation lacks.cfg --lab 03/index --json result.json "$solution"
  expect "without $1: it is named" eval "cat log errors | grep -- '$3' >/dev/null"
  expect "without $1: no grade" no_grade
}

tools() {
  local tool
  lacks nvcc /nowhere/bin/nvcc /nowhere/bin/nvcc
  lacks cc /nowhere/bin/cc /nowhere/bin/cc
  lacks device /nowhere/simgpu-device /nowhere/simgpu-device
  lacks suite /nowhere/suite /nowhere/suite
  lacks main_object /nowhere/main.o /nowhere/main.o
  mkdir -p without
  for tool in sh env sed grep bwrap; do
    ln -sf "$(command -v "$tool")" without/ 2>/dev/null || true
  done
  status=0
  PATH=$tree/without "$grade" --class two_of --isolation full --lab 03 --out without_out >log 2>errors || status=$?
  expect 'without prlimit: exit status 2' test "$status" = 2
  expect 'without prlimit: it is named' grep -q prlimit errors
}

# --- the folder for results ---

results_without_room() {
  local status=0
  [[ ${namespace-} ]] || return 0
  # shellcheck disable=SC2016 # the inner shell expands it
  unshare "$namespace" sh -c 'mount -t tmpfs -o size=16k none disk && "$0" --lab 03 --json disk/result.json --out disk "$@"
    status=$?; cp disk/result.json . ; ls -A disk >left; exit $status' "$grade" "${few[@]}" "$solution" >log 2>errors || status=$?
  expect 'no room for the result: exit status 2' test "$status" = 2
  expect 'no room for the result: one line' one_line 'disk/.*No space left on device'
  expect 'no room for the result: the record of before stays' verdict INFRA
  expect 'no room for the result: no part of a file' eval '! grep -q "^.output" left'
}
