# Sourced by tests: a repository with a small kit, from which ./kit handout makes a copy without a compiler.
# shellcheck shell=bash disable=SC2154 # root, tree: set by the test

in_git() { git -C "$1" -c user.name=test -c user.email=test@localhost "${@:2}"; } # in_git FOLDER ARGUMENT...

# commit_all FOLDER SECONDS: commits the contents of the folder at that time.
commit_all() {
  [[ -d $1/.git ]] || git -C "$1" init -q
  in_git "$1" add -A
  GIT_AUTHOR_DATE="@$2 +0000" GIT_COMMITTER_DATE="@$2 +0000" in_git "$1" commit -q --allow-empty -m "$2"
}

# Copies the files of the working tree, committed or not.
copy_tree() { # copy_tree TARGET [PATHSPEC...]
  mkdir -p "$1"
  git -C "$root" ls-files -z --cached --others --exclude-standard -- "${@:2}" |
    (cd "$root" && while IFS= read -r -d '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done) |
    tar -c -C "$root" --null --files-from=- | tar -x -C "$1"
}

# Makes a kit with lab 03 and the files that the commands need, without solutions to compare with.
small_kit() { # small_kit TARGET
  copy_tree "$1" kit CMakeLists.txt LICENSE commands/setup commands/handout commands/course labs/03_compressed \
    grading/rubric/03.cfg grading/rubric/items.awk grading/suites/suite_03_compressed.c grading/suites/public.awk \
    grading/suites/CMakeLists.txt
  echo 'add_lab(03_compressed compressed)' >"$1/labs/CMakeLists.txt"
  printf '%s\n' '# what students get' kit CMakeLists.txt LICENSE commands/setup commands/course commands/handout/update.bash \
    commands/handout/student_README.md labs/CMakeLists.txt labs/03_compressed 'grading/rubric/*.cfg' 'grading/suites/*.c' \
    grading/suites/CMakeLists.txt >"$1/commands/handout/files"
}

# reuse_build BUILD COPY: the copy's build begins with what CMake found for the build of this tree, and its compilers
# take that build's objects, unless a header or a source differs.
reuse_build() {
  local file
  local launcher=$root/commands/tests/reuse_objects
  known_compilers "$1" "$2/build/sim"
  sed -E "s#$(realpath "$1")#$2/build/sim#g; s#$root#$2#g; s#(_COMPILER_LAUNCHER:[A-Z]*=).*#\1$launcher#" \
    "$1/CMakeCache.txt" >"$2/build/sim/CMakeCache.txt"
  while IFS= read -r file; do
    cmp -s "$2/$file" "$root/$file" || return 0
  done < <(cd "$2" && find simgpu common grading labs -name '*.[ch]' -o -name '*.def')
  export REUSED_BUILD=$1 CMAKE_C_COMPILER_LAUNCHER=$launcher CMAKE_CUDA_COMPILER_LAUNCHER=$launcher
}

# students_copy NVCC [BUILD]: sets made to the folder of the script students_copy. In a build, all tests share it.
students_copy() {
  made=$tree/made
  [[ -z ${2-} ]] || made=$2/students_copy
  "$root/commands/tests/students_copy" "$made" "$@"
}

# known_compilers BUILD NEW: a build in the folder NEW begins with what CMake found of the compilers of another build.
# Without the mark in its cache, CMake would drop it.
known_compilers() {
  mkdir -p "$2/CMakeFiles"
  cp -r "$1"/CMakeFiles/[0-9]* "$2/CMakeFiles"
  rm -rf "$2"/CMakeFiles/[0-9]*/CompilerId*
  echo 'CMAKE_PLATFORM_INFO_INITIALIZED:INTERNAL=1' >"$2/CMakeCache.txt"
}

# cached_nvcc NVCC [BUILD]: makes the folder $tree/nvcc/bin with an nvcc that compiles nothing twice. It keeps the
# results in the build, where other tests find them.
cached_nvcc() {
  local cache=$tree/nvcc/cache
  [[ -z ${2-} ]] || cache=$2/nvcc_cache
  mkdir -p "$tree/nvcc/bin"
  printf '#!/bin/sh\nexec "%s" "%s" "%s" "$@"\n' "$root/commands/tests/cached_nvcc" "$(command -v "$1")" "$cache" >"$tree/nvcc/bin/nvcc"
  chmod +x "$tree/nvcc/bin/nvcc"
}
