# Sourced by ./kit for `./kit test`: chooses tests of the kit, builds what they run, and runs them with ctest. The tests
# are the rows of <build>/tests.tsv, which CMake writes (cmake/suites.cmake): name, wing, quick, seconds, targets.
# test: Without arguments it runs the short tests, and of mutants, variants and attacks one for each item or kind.
# test:
# test:   WING                01 to 08, common, simgpu, grading or commands: all tests of that wing
# test:   NAME                one test, such as test_npy
# test:   --changed [COMMIT]  the tests that the changes since COMMIT can affect (default: HEAD, so uncommitted changes)
# test:   --all               all tests; about an hour of CPU time
# test:   --list              prints all tests: name, wing, whether the short tests have it, seconds
# test:   --minutes N         first the short tests, then those that the last day's commits can affect, then others in
# test:                       rotation; after N minutes it starts no more
# test:
# test: The last lines say what ran, what was skipped and why, and what was left out.
# test: Exit status: 0 all these tests pass, 1 a test fails, 2 the build fails.
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit

names_of_quick() { awk -F'\t' '$3 == "yes" { print $1 }' "$build/tests.tsv"; }
names_of_wing() { awk -F'\t' -v wing="$1" '$2 == wing { print $1 }' "$build/tests.tsv"; }
is_wing() { [[ -n $(names_of_wing "$1") ]]; }

# A wing, a lab as the other commands name it, or a test.
names_of_word() { # names_of_word WORD
  local lab
  if lab=$(lab_folder "$1"); then
    names_of_wing "${lab%%_*}"
  elif is_wing "$1"; then
    names_of_wing "$1"
  else
    cut -f 1 "$build/tests.tsv" | grep -xF -- "$1" ||
      die "test: no wing or test '$1'; the wings are: $(cut -f 2 "$build/tests.tsv" | sort -u | paste -s -d ' ')"
  fi
}

# Prints the tests that a change of each file on standard input can affect. The first row of the table
# that matches counts.
names_of_files() {
  local file pattern affected names='' patterns=() tests=() n
  while IFS=$'\t' read -r pattern affected; do
    [[ $pattern == \#* || -z $pattern ]] || { patterns+=("$pattern") && tests+=("$affected"); }
  done <"$root/commands/test/changes"
  while IFS= read -r file; do
    for n in "${!patterns[@]}"; do
      [[ $file =~ ^${patterns[n]}$ ]] || continue
      affected=${tests[n]//\\1/${BASH_REMATCH[1]-}}
      names+="${affected//\\2/${BASH_REMATCH[2]-}} "
      continue 2
    done
    die "test: commands/test/changes has no row for $file"
  done
  # shellcheck disable=SC2086 # words
  printf '%s\n' $names | sort -u | awk -F'\t' '
    NR == FNR { wanted[++count] = $1; next }
    {
      for (n = 1; n <= count; n++)
        if (wanted[n] == "all" || wanted[n] == $2 || wanted[n] == "quick" && $3 == "yes" || $1 ~ "^(" wanted[n] ")$") {
          print $1
          next
        }
    }' - "$build/tests.tsv"
}

names_of_change() { # names_of_change COMMIT
  git -C "$root" rev-parse -q --verify "$1^{commit}" >/dev/null 2>&1 || die "test: --changed $1: expected a commit of this repository"
  { git -C "$root" diff --name-only "$1" && git -C "$root" ls-files --others --exclude-standard; } | sort -u | names_of_files
}

# The last commit that is a day older than the current one, or the first of all.
yesterday() {
  local now
  now=$(git -C "$root" log -1 --format=%ct)
  git -C "$root" rev-list -1 --before="$((now - 86400))" HEAD | grep . || git -C "$root" rev-list HEAD | tail -n 1
}

# All tests in an order of their own that begins at another place for each commit.
names_in_rotation() {
  local names start
  readarray -t names < <(cut -f 1 "$build/tests.tsv" | while IFS= read -r name; do printf '%s %s\n' "$(cksum <<<"$name")" "$name"; done |
    sort -n | cut -d ' ' -f 3)
  start=$(($(git -C "$root" rev-list --count HEAD 2>/dev/null || echo 0) * 101 % ${#names[@]}))
  printf '%s\n' "${names[@]:start}" "${names[@]:0:start}"
}

# run_tests NAMES: builds and runs these tests, one name a line, except those that ran before.
run_tests() {
  local names targets n
  readarray -t names < <(sort -u <<<"$1" | without_ran)
  ((${#names[@]})) || return 0
  readarray -t targets < <(printf '%s\n' "${names[@]}" | awk -F'\t' 'NR == FNR { wanted[$1]; next }
    $1 in wanted { n = split($5, t, " "); while (n) print t[n--] }' - "$build/tests.tsv" | sort -u)
  build_or_die "${targets[@]}"
  for ((n = 0; n < ${#names[@]}; n += 400)); do # more names are too long for ctest
    run_ctest "${names[@]:n:400}"
  done
  ran+=("${names[@]}")
}

run_ctest() { # run_ctest NAME...
  local regex
  printf -v regex '%s|' "$@"
  # Tests also wait, for a limit or another process: one more for each two processors keeps all of them busy.
  reports+=("$build/tests.${#reports[@]}.xml")
  ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel $((($(nproc) * 3 + 1) / 2)) \
    --output-junit "${reports[-1]}" -R "^(${regex%|})\$" || failed=1
}

without_ran() { grep -vxFf <(printf '%s\n' '' "${ran[@]}") || true; } # nor empty lines

# In slices, so that the last one ends soon after the time is over.
run_for_minutes() { # run_for_minutes MINUTES
  local end=$((SECONDS + 60 * $1)) names slice
  run_tests "$(names_of_quick)"
  names=$({ names_of_change "$(yesterday)" && names_in_rotation; } | awk '!seen[$0]++') || exit
  while ((SECONDS < end)); do
    slice=$(without_ran <<<"$names" | head -n 40)
    [[ -n $slice ]] || break
    run_tests "$slice"
  done
}

conclude_tests() { # conclude_tests SECONDS_AT_START
  ((${#reports[@]})) || { say 'test: no test is affected' && return; }
  awk -f "$root/commands/test/conclude.awk" -v rows="$build/tests.tsv" -v times="$build/tests.csv" -v seconds=$((SECONDS - $1)) \
    -v ctest="ctest --test-dir ${build#"$PWD"/}" "${reports[@]}" >&2
}

command_test() {
  # shellcheck disable=SC2034 # with_tests: for build.bash
  local ran=() reports=() failed=0 started=$SECONDS with_tests=1 word names=''
  for word in "$@"; do
    [[ $word != -* || $word =~ ^--(all|list|changed|minutes)$ ]] || die "unknown argument '$word'; see ./kit test --help"
  done
  [[ ! ${1-} =~ ^--(all|list)$ || $# -eq 1 ]] || die "test: $1 takes no argument, got '$2'"
  [[ ${1-} != --changed || $# -le 2 ]] || die "test: --changed takes one commit, got '$3'"
  [[ ${1-} != --minutes || ($# -eq 2 && ${2-} =~ ^[1-9][0-9]{0,3}$) ]] || die "test: --minutes: expected a number of minutes, got '${*:2}'"
  need "${compilers[@]}"
  want 'without Check the suites are skipped' pkg-config check
  want 'without jansson, libconfig and nettle the tests of the grader are skipped' jansson libconfig nettle
  want 'without libarchive the tests of archives are skipped' libarchive
  want 'without pandoc the book is not tested' pandoc
  want 'without Matplotlib the tests of plots are skipped' matplotlib
  want 'without bubblewrap and libseccomp the tests of full isolation are skipped' bubblewrap libseccomp
  need_nvcc
  build_or_die limited
  [[ ${1-} != --list ]] || { cut -f 1-4 "$build/tests.tsv" | sort && return; }
  rm -f "$build"/tests.csv "$build"/tests.*.xml
  case ${1-} in
    '') names=$(names_of_quick) ;;
    --all) names=$(cut -f 1 "$build/tests.tsv") ;;
    --changed) names=$(names_of_change "${2:-HEAD}") || exit ;;
    --minutes) run_for_minutes "$2" ;;
    *) names=$(for word in "$@"; do names_of_word "$word" || exit; done) || exit ;;
  esac
  run_tests "$names"
  conclude_tests "$started"
  ((failed == 0)) || exit 1
}
