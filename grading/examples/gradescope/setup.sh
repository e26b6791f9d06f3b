#!/usr/bin/env bash
# Runs once, as root, when Gradescope makes the image; run_autograder finds there what it gets and builds.
set -euo pipefail

export XDG_CACHE_HOME=${AUTOGRADER:-/autograder}/cache
exec "$(dirname "$0")/checkerboard/kit" setup
