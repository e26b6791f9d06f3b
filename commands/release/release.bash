# Sourced by ./kit for `./kit release`: makes the files of a release from a commit. The same commit, compiler and CUDA
# headers give the same bytes. ./kit release --help prints the lines below that begin with "release:".
#
# release: The new folder DIR gets these files, made from a commit and not from the working tree:
# release:
# release:   checkerboard-VERSION-student.tar.gz     what ./kit handout makes, and the compiled simulated GPU
# release:   checkerboard-VERSION-instructor.tar.gz  the kit with solutions, and the compiled simulated GPU: private
# release:   checkerboard-VERSION.spdx.json          all files with their hashes, and what the kit downloads (SPDX 2.3)
# release:   SHA256SUMS                              for sha256sum --check
# release:
# release:   --from COMMIT  the commit; default: HEAD. A name such as v1.0.0 must be that of the version
# release:   --no-prebuilt  without the compiled simulated GPU
# release:
# release: The simulated GPU is compiled for x86-64 and arm64. The one that this machine is not needs a cross compiler,
# release: such as Debian's gcc-aarch64-linux-gnu. Without it, a line says so.
# release:
# release: The CUDA headers are those that ./kit setup downloads, whatever is installed here: a machine that unpacks a
# release: file compiles the simulated GPU only if it has others. CHECKERBOARD_CUDA= takes those of the toolkit here.
# shellcheck shell=bash disable=SC2154 # root, compilers: set by ./kit

parse_release() { # parse_release ARGUMENT...: sets folder, commit, version and prebuilt
  local wanted=HEAD
  folder='' prebuilt=1
  while (($#)); do
    case $1 in
      --from)
        [[ -n ${2-} ]] || die 'release: --from: expected a commit'
        wanted=$2
        shift
        ;;
      --no-prebuilt) prebuilt='' ;;
      *) take_word release 'new folder' folder "$1" ;;
    esac
    shift
  done
  expect_new release "$folder"
  commit=$(commit_of release "$wanted") || exit
  version=$(git -C "$root" show "$commit:CMakeLists.txt" | sed -n 's/^project(checkerboard VERSION \([0-9.]*\).*/\1/p')
  [[ -n $version ]] || die "release: commit ${commit:0:10} has no version: expected project(checkerboard VERSION …) in CMakeLists.txt"
  [[ ! $wanted =~ ^v[0-9] || $wanted == "v$version" ]] ||
    die "release: $wanted has the version $version in CMakeLists.txt: expected the tag v$version"
}

# The trees are made by the commit's own ./kit handout, in a clone: the working tree has no part in them.
make_trees() {
  git clone -q --shared --no-checkout "$root" "$work/clone"
  git -C "$work/clone" checkout -q --detach "$commit"
  mkdir "$work/instructor" "$work/student"
  git -C "$work/clone" archive "$commit" --prefix="checkerboard-$version/" | tar -x -C "$work/instructor"
  "$work/clone/kit" handout "$work/student/checkerboard-$version" >"$work/said" || exit 2
}

# The kinds of processors that this machine can compile for.
find_kinds() { # find_kinds: sets kinds
  local kind
  kinds=()
  for kind in x86_64 aarch64; do
    if [[ $kind == "$processor" ]] || has "$kind-linux-gnu-gcc"; then
      kinds+=("$kind")
    else
      say "no compiled simulated GPU for $kind, because $kind-linux-gnu-gcc is missing; run: $(install_command "gcc-${kind/_/-}-linux-gnu")"
    fi
  done
}

# Compiled for every processor of a kind. The paths of this machine stay out of the objects.
add_prebuilt() { # add_prebuilt TREE KIND
  local build=$work/build log=$work/log cross=()
  [[ $2 == "$processor" ]] ||
    cross=(-D CMAKE_SYSTEM_NAME=Linux -D CMAKE_SYSTEM_PROCESSOR="$2" -D CMAKE_C_COMPILER="$2-linux-gnu-gcc")
  rm -rf "$build"
  say "compiling the simulated GPU of ${1#"$work"/} for $2"
  {
    cmake -S "$1/simgpu" -B "$build" -D CMAKE_CUDA_COMPILER="$(find_nvcc)" -D SIMGPU_ALL_PROCESSORS=ON "${cross[@]}" \
      -D SIMGPU_TESTS=OFF -D CMAKE_C_FLAGS="-ffile-prefix-map=$1=. -ffile-prefix-map=$build=build" &&
      cmake --build "$build" --parallel "$(nproc)" --target prebuilt
  } >"$log" 2>&1 || { build_errors "$log" && die "release: the simulated GPU does not compile for $2; the first errors are above"; }
  mkdir -p "$1/prebuilt"
  mv "$build/prebuilt"/* "$1/prebuilt"
}

# pack NAME: the tree as a file that depends on nothing but its contents and the time of the commit.
pack() {
  tar --create --directory "$work/$1" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --mode='u=rwX,go=rX' "checkerboard-$version" | gzip -n -9 >"$out/checkerboard-$version-$1.tar.gz"
}

# Names and versions of what the kit downloads, one a line: TYPE NAME VERSION SHA256, with - for what
# differs by machine.
dependencies() { # dependencies TREE
  sed -nE 's/^([a-z0-9-]+)==([0-9.]+) .*--hash=sha256:([0-9a-f]{64}).*/pypi \1 \2 \3/p' "$1/commands/setup/cuda_wheels.txt"
  local thing
  for thing in "${debian_things[@]}"; do
    package_of "$thing" | tr ' ' '\n' | sed 's/.*/deb & - -/'
  done
}
debian_things=(gcc g++ cmake builder pkg-config jansson libconfig nettle check libarchive bubblewrap libseccomp matplotlib)

write_sbom() {
  local tree=$work/instructor/checkerboard-$version
  (
    cd "$tree" && find . -type f -printf '%P\0' | LC_ALL=C sort -z >"$work/names"
    xargs -0 sha1sum -- <"$work/names" >"$work/sha1"
    xargs -0 sha256sum -- <"$work/names" >"$work/sha256"
  )
  dependencies "$tree" >"$work/dependencies"
  awk -v version="$version" -v commit="$commit" -v created="$(TZ=UTC0 date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" \
    -v verification="$(cut -c 1-40 "$work/sha1" | LC_ALL=C sort | tr -d '\n' | sha1sum | cut -c 1-40)" \
    -f "$root/commands/release/sbom.awk" "$work/dependencies" "$work/sha1" "$work/sha256" >"$out/checkerboard-$version.spdx.json"
}

command_release() {
  local folder commit version prebuilt work out tree kind kinds=()
  parse_release "$@"
  if [[ -n $prebuilt ]]; then
    export CHECKERBOARD_CUDA=${CHECKERBOARD_CUDA-wheels}
    need_nvcc
    need "${compilers[@]}" pkg-config
    find_kinds
  fi
  folder=$(realpath -m "$folder")
  work_beside release "$folder"
  SOURCE_DATE_EPOCH=$(git -C "$root" show -s --format=%ct "$commit")
  export SOURCE_DATE_EPOCH
  out=$work/out
  mkdir "$out"
  make_trees
  for tree in student instructor; do
    for kind in "${kinds[@]}"; do
      add_prebuilt "$work/$tree/checkerboard-$version" "$kind"
    done
    pack "$tree"
  done
  write_sbom
  (cd "$out" && sha256sum -- * >SHA256SUMS)
  mv -T "$out" "$folder"
  printf 'Made %s from commit %s, version %s:\n' "$folder" "${commit:0:10}" "$version"
  cat "$folder/SHA256SUMS"
}
