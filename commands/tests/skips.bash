# Sourced by tests that are scripts. What cannot run here is named, and the exit status is then 77, which ctest counts
# as skipped: without a package, a test must not look as if it had passed.
# shellcheck shell=bash

skipped_parts=()

# skip_test REASON: nothing of this test can run.
skip_test() { echo "skipped: $1" && exit 77; }

# skip_part PART REASON: the test goes on without this part. Not for subshells: end_test would not know of it.
skip_part() { skipped_parts+=("$1: $2"); }

# end_test FAILURES: names the skipped parts and ends the test.
end_test() {
  ((${#skipped_parts[@]} == 0)) || printf 'skipped: %s\n' "${skipped_parts[@]}"
  (($1 == 0)) || exit 1
  ((${#skipped_parts[@]} == 0)) || exit 77
  exit 0
}
