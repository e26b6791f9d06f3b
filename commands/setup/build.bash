# Sourced by ./kit: configures and builds what a command needs, and shows the progress.
# shellcheck shell=bash disable=SC2154,SC2034 # root, cache: set by ./kit and machine.bash; compilers: for commands

compilers=(cmake builder gcc g++)

# CMake and make cannot build in a folder whose name contains a quote, #, $ or ;. The kit then uses the tree through a
# link with a plain name.
use_plain_root() {
  local sum
  if [[ $root == *[\'\"\`\#\$\;\&\,\<\>\|\*\?\(\)\[\]\{\}\\%\!]* ]]; then
    sum=$(cksum <<<"$root")
    mkdir -p "$cache/trees"
    ln -sfn "$root" "$cache/trees/${sum%% *}"
    root=$cache/trees/${sum%% *}
  fi
  build=$(build_folder)
  students_labs=$(realpath -m --no-symlinks "${CHECKERBOARD_LABS:-$root/labs}") # the folder of the labs' .cu files
}

# build/sim of the tree, or a folder of the cache if the tree is not writable. CHECKERBOARD_BUILD names another one.
build_folder() {
  local sum
  if [[ -n ${CHECKERBOARD_BUILD-} ]]; then
    realpath -m "$CHECKERBOARD_BUILD"
  elif [[ -w $root/build/sim || (! -e $root/build/sim && -w $root/build) || (! -e $root/build && -w $root) ]]; then
    echo "$root/build/sim"
  else
    sum=$(cksum <<<"$root")
    echo "$cache/build/${sum%% *}"
  fi
}

# The parent of results/, for tables and pictures: the tree, or the working folder if the tree is not writable.
results_parent() {
  if [[ -w $root && (! -e $root/results || -w $root/results) ]]; then
    echo "$root"
  elif [[ -w $PWD && (! -e results || -w results) ]]; then
    echo "$PWD"
  else
    die "neither $root nor $PWD is writable: change to a writable folder and run $root/kit there"
  fi
}

# Prints the errors of a failed build, without the build tool's own lines.
build_errors() { # build_errors LOG
  local lines tool='^(\[ *[0-9]+(%|/[0-9]+)\]|g?make(\[[0-9]+\])?:|ninja:|--|Consolidate|Scanning|Preset |  CMAKE_BUILD_TYPE|$)'
  lines=$(awk '/^FAILED: / { getline; next } { print }' "$1" | grep -vE "$tool" | head -n 40) || lines=$(tail -n 3 "$1")
  echo "$lines" >&2
}

# Everything that the configuration depends on, except the files that the build tool checks itself.
circumstances() { # circumstances ARGUMENT...
  local thing
  echo "$@"
  for thing in nvidia-smi python3 check jansson libconfig nettle libarchive libseccomp; do
    ! present "$thing" || echo "$thing"
  done
  gpu_capabilities
  echo "${CHECKERBOARD_PREBUILT-}"
  grep -m 1 '^flags' /proc/cpuinfo | cksum
}

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; } # cached NAME: a variable of the configured build

# ON for commands that set with_tests, and then for this build for ever. OFF saves the others some
# seconds of configuring.
tests_or_not() {
  if [[ -n ${with_tests-} || (-f $build/CMakeCache.txt && $(cached CHECKERBOARD_TESTS) != OFF) ]]; then echo ON; else echo OFF; fi
}

# Drops the build of a tree that has moved, and the configuration for another nvcc or build tool.
drop_stale_build() { # drop_stale_build NVCC
  [[ -f $build/CMakeCache.txt ]] || return 0
  local compiler
  compiler=$(cached CMAKE_CUDA_COMPILER)
  if [[ $(cached CMAKE_HOME_DIRECTORY) != "$root" || $(cached CMAKE_CACHEFILE_DIR) != "$build" ]]; then
    say "the kit has moved since its build in $(cached CMAKE_CACHEFILE_DIR): building again"
    find "$build" -mindepth 1 -maxdepth 1 ! -name kit.lock -exec rm -rf {} +
  elif [[ -n $1 && $compiler != "$1" || ! -x $(cached CMAKE_MAKE_PROGRAM) || ! -x $(cached CMAKE_C_COMPILER) ]]; then
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
  fi
}

# configure LOG ARGUMENT...: runs cmake with the arguments, unless nothing has changed since the last time.
configure() {
  local log=$1 stamp=$build/kit.configured now
  shift
  now=$(circumstances "$@")
  [[ -f $build/CMakeCache.txt && -f $stamp && $stamp -nt $root/CMakePresets.json && $(<"$stamp") == "$now" ]] && return
  rm -f "$stamp"
  [[ ! -t 2 ]] || printf 'kit: configuring' >&2
  # -U: CMake asks pkg-config again, because a package that it found may be gone
  (cd "$root" && cmake "$@" -U '__pkg_config_checked_*') >"$log" 2>&1 && echo "$now" >"$stamp" &&
    sed -n 's/^-- \(.*; the simulated GPU is compiled\)$/kit: \1/p' "$log" >&2
}

# show_progress LOG BEGUN: copies a build's lines from standard input to LOG and shows its steps: in place on a
# terminal, otherwise one line every 5 seconds. BEGUN is the value of SECONDS when the kit began to configure.
show_progress() {
  local line percent shown=$2 width=${COLUMNS:-80}
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ $line =~ ^\[\ *([0-9]+)(%|/([0-9]+))\]\ (.*) ]] || continue
    percent=${BASH_REMATCH[1]} line=${BASH_REMATCH[4]##*/}
    [[ -z ${BASH_REMATCH[3]} ]] || percent=$((100 * percent / BASH_REMATCH[3]))
    line="building: $percent %, ${line%.o}"
    if [[ -t 2 ]]; then
      line="kit: $line"
      printf '\r\033[K%s' "${line:0:width - 1}" >&2
    elif ((SECONDS - shown >= 5)); then
      shown=$SECONDS
      say "$line"
    fi
  done >"$1"
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# True if the last build is of today and no file of the kit has changed since: the build tool alone takes longer to see
# that. The students' .cu files do not count.
is_unchanged() {
  local stamp=$build/kit.built
  [[ -f $stamp && $stamp -nt $build/kit.configured && -z $(find "$stamp" -mmin +720) ]] &&
    [[ -z $(find "$root" -mindepth 1 \( -path "$root/build" -o -path "$root/results" -o -name '.*' \) -prune -o \
      -path "$root/labs/*" \( -type d -o -name '*.cu' \) -o -newer "$stamp" -print -quit) ]]
}

are_built() { # are_built TARGET...: whether the last builds made all. Programs of .cu files are built each time.
  local target
  for target in "$@"; do
    [[ $target != labs_* && " $(<"$build/kit.built") " == *" $target "* ]] || return 1
  done
}

compile() { # compile LOG BEGUN TARGET...
  local stamp=$build/kit.built earlier=''
  if is_unchanged; then
    ! are_built "${@:3}" || return 0
    earlier=$(<"$stamp")
  else
    : >"$stamp" # a build that is interrupted has made nothing
  fi
  touch -r "$stamp" "$stamp.new"
  NINJA_STATUS='[%f/%t] ' cmake --build "$build" --parallel "$(nproc)" --target "${@:3}" 2>&1 | show_progress "$1" "$2" ||
    { rm -f "$stamp" && return 1; }
  echo "$earlier" "${@:3}" >"$stamp" && touch -r "$stamp.new" "$stamp"
}

# try_targets TARGET...: builds them; returns 1 on failure, with the errors in the log.
try_targets() {
  if ! mkdir -p "$build" 2>/dev/null || [[ ! -w $build || (-e $build/kit.lock && ! -w $build/kit.lock) ]]; then
    die "$build is not writable: set CHECKERBOARD_BUILD to a writable folder"
  fi
  local log=$build/kit.log begun=$SECONDS nvcc arguments=(-S "$root" --preset sim -B "$build" "-DCHECKERBOARD_LABS=$students_labs")
  nvcc=$(find_nvcc) || nvcc=''
  [[ -z $nvcc ]] || arguments+=("-DCMAKE_CUDA_COMPILER=$nvcc")
  arguments+=("-DCHECKERBOARD_TESTS=$(tests_or_not)")
  [[ -z ${CHECKERBOARD_ALL_PROCESSORS-} ]] || arguments+=(-DSIMGPU_ALL_PROCESSORS=ON)
  (
    flock 9
    drop_stale_build "$nvcc"
    if [[ ! -f $build/CMakeCache.txt ]]; then
      [[ -w $root || -n ${CHECKERBOARD_BUILD-} ]] || say "$root is not writable: the build is in $build"
      say 'configuring and building; the first build takes some minutes'
      ! has ninja || export CMAKE_GENERATOR=Ninja
    fi
    configure "$log" "${arguments[@]}" 9>&- && compile "$log" "$begun" "$@" 9>&-
  ) 9>"$build/kit.lock"
}

# make_targets TARGET...: builds them; on failure prints the errors and returns 1.
make_targets() {
  try_targets "$@" && return
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  build_errors "$build/kit.log"
  return 1
}

build_or_die() { make_targets "$@" || die "the build failed; see the whole log in $build/kit.log"; }
