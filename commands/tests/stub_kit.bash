# Sourced by tests of ./kit that build nothing: they run a copy of it in the folder $tree, with stubs as build tools.
# shellcheck shell=bash disable=SC2154 # tree: set by the test

# shellcheck disable=SC2034 # for patterns of tests
line='[^[:cntrl:]]*' newline=$'\n'

configured() { # makes a build folder that cmake has configured
  printf '%s\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$tree" "CMAKE_CACHEFILE_DIR:INTERNAL=$tree/build/sim" \
    "CMAKE_CUDA_COMPILER:STRING=$tree/.tools/nvcc" "CMAKE_MAKE_PROGRAM:FILEPATH=/bin/sh" \
    "CMAKE_C_COMPILER:FILEPATH=/bin/sh" >"$tree/build/sim/CMakeCache.txt"
}

tool() { # tool NAME <body
  { echo '#!/bin/bash' && cat; } >"$tree/.tools/$1"
  chmod +x "$tree/.tools/$1"
}

# Whether the kit finds a Python that draws. In a shell of its own, since the file sets variables of the kit.
# shellcheck source=/dev/null
plots() { (source "$root/commands/setup/machine.bash" && find_plot_python >/dev/null); }

# expect STATUS REGEX ARGUMENT...: expects this exit status, and one matching line on standard error.
expect() {
  local status=0 wanted=$1 pattern=$2 out=$tree/out err=$tree/err
  shift 2
  PATH=$tree/.tools:$PATH "$tree/kit" "$@" >"$out" 2>"$err" || status=$?
  if ! [[ $status -eq $wanted && $(cat "$err") =~ ^$pattern$ && ! -s $out ]]; then
    printf './kit %s: expected status %s and "%s", got status %s and:\n' "$*" "$wanted" "$pattern" "$status"
    cat "$out" "$err"
    failures=$((failures + 1))
  fi
}

expect_says() { # expect_says WORDS ARGUMENT...: expects status 0 and these words as output; white space is one blank
  local status=0 words=$1 said
  shift
  PATH=$tree/.tools:$PATH "$tree/kit" "$@" >"$tree/out" 2>"$tree/err" || status=$?
  said=$(tr -s ' \n' ' ' <"$tree/out")
  if [[ $status -ne 0 || $said != *"$words"* ]]; then
    printf './kit %s: expected status 0 and "%s", got status %s and:\n' "$*" "$words" "$status"
    cat "$tree/out" "$tree/err"
    failures=$((failures + 1))
  fi
}

# Stubs of all tools that a machine without a GPU has.
stub_tools() {
  tool nvidia-smi <<<'exit 9'
  tool pkg-config <<<'exit 0'
  tool nvcc <<<'echo "Cuda compilation tools, release 13.0, V13.0.88"'
  tool make </dev/null
  tool gcc </dev/null
  tool g++ </dev/null
  tool cmake </dev/null
}
