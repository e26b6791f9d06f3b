#!/usr/bin/env bash
# Runs once, as root, when Gradescope builds the image: downloads and builds what run_autograder needs.
set -euo pipefail

export XDG_CACHE_HOME=${AUTOGRADER:-/autograder}/cache
exec "$(dirname "$0")/checkerboard/kit" setup
