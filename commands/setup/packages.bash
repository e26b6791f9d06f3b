# Sourced by ./kit: gets the Debian packages that commands need. Root installs them; for other users the kit unpacks
# them into the cache, where nothing else on the machine sees them.
# shellcheck shell=bash disable=SC2154 # cache, offline, processor: set by ./kit and machine.bash

package_of() { # package_of THING: the Debian packages that contain it
  case $1 in
    jansson) echo libjansson-dev ;;
    libconfig) echo libconfig-dev ;;
    nettle) echo nettle-dev ;;
    libarchive) echo libarchive-dev ;;
    libseccomp) echo libseccomp-dev ;;
    matplotlib) echo python3-matplotlib python3-numpy ;;
    builder) echo ninja-build ;;
    pip) echo python3-pip ;;
    certificates) echo ca-certificates ;;
    *) echo "$1" ;;
  esac
}

missing_packages() { # missing_packages THING...
  local thing packages=()
  for thing in "$@"; do
    # shellcheck disable=SC2207 # a list of package names
    present "$thing" || packages+=($(package_of "$thing"))
  done
  echo "${packages[*]}"
}

install_command() { # install_command PACKAGE...
  local sudo=''
  ((EUID == 0)) || sudo='sudo '
  if has apt-get; then
    echo "${sudo}apt-get install -y $*"
  else
    echo "install the equivalents of Debian's $*"
  fi
}

# The full name of a commit of this kit, which must be a git clone.
commit_of() { # commit_of COMMAND COMMIT
  has git || die "$1: git not found: $(install_command git)"
  [[ $(git -C "$root" rev-parse --show-toplevel 2>/dev/null) -ef $root ]] ||
    die "$1: $root is not a git repository: expected a git clone of the kit"
  git -C "$root" rev-parse --verify --quiet "$2^{commit}" || die "$1: --from $2: no such commit; git log lists them"
}

apt_options=(-qq -y --no-install-recommends -o Acquire::Retries=0 -o Acquire::http::Timeout=20)

install_as_root() { # install_as_root PACKAGE...
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}")
  say "installing Debian packages: $*"
  "${apt[@]}" install "$@" >/dev/null 2>&1 || { "${apt[@]}" update && "${apt[@]}" install "$@"; } >/dev/null 2>&1 || true
}

triplet=$processor-linux-gnu # Debian's name for folders of libraries

# Without root, the cache has a separate Debian tree for this release of the system.

package_tree() {
  local id VERSION_ID=''
  id=$(. /etc/os-release && echo "$ID-${VERSION_ID-}") 2>/dev/null || id=linux
  echo "$cache/packages-$id"
}

# apt-get with lists, downloads and status in the cache. Its status is that of an empty system, so the tree also gets
# the dependencies of a package, even if the machine has them.
user_apt() {
  apt-get "${apt_options[@]}" -o Debug::NoLocking=1 -o Dir::State="$tree/apt" -o Dir::State::status="$tree/apt/status" \
    -o Dir::Cache="$tree/apt" "$@"
}

# Links to libraries that the machine lacks: programs must not mix its C library with another. BLAS and others lie in
# separate folders, from which an installation would link them.
link_libraries() {
  local library name
  mkdir -p "$tree/runtime"
  for library in "$tree"/{,usr/}lib/"$triplet"/{,*/}*.so*; do
    name=${library##*/}
    [[ ! -e $library || -e /lib/$triplet/$name || -e /usr/lib/$triplet/$name || -e $tree/runtime/$name ]] ||
      ln -sf "$library" "$tree/runtime/$name"
  done
}

# Changes the absolute paths in packages to paths in the tree. A second call changes nothing.
relocate() {
  local file target
  while read -r file; do
    target=$(readlink "$file")
    [[ ! -e $tree$target ]] || ln -sfnr "$tree$target" "$file"
  done < <(find "$tree/usr" "$tree/lib" -type l -lname '/*' 2>/dev/null)
  find "$tree/usr" -name '*.pc' -exec sed -i "s#=/usr#=$tree/usr#" {} +
  file=$tree/usr/lib/python3/dist-packages/matplotlib/__init__.py
  [[ ! -f $file ]] || sed -i -E "s#'(/usr/share/matplotlib|/etc/matplotlibrc)#'$tree\1#" "$file"
  if [[ -d $tree/usr/share/ca-certificates ]]; then
    find "$tree/usr/share/ca-certificates" -name '*.crt' -exec cat {} + >"$tree/certificates.crt"
  fi
  link_libraries
}

# The compilers look for headers and libraries in the tree, not in /usr. The simulated GPU starts them without our
# environment, so their scripts name the assembler's folder and their libraries.
wrap_compilers() {
  local pair name compiler
  mkdir -p "$tree/bin"
  for pair in gcc:gcc g++:g++ cc:gcc c++:g++; do
    name=${pair%:*} compiler=$tree/usr/bin/${pair#*:}
    [[ -x $compiler ]] || continue
    cat >"$tree/bin/$name" <<EOF
#!/bin/sh
export PATH="\$PATH:$tree/usr/bin" LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+\$LD_LIBRARY_PATH:}$tree/runtime"
exec "$compiler" --sysroot="$tree" "\$@"
EOF
    chmod +x "$tree/bin/$name"
  done
}

# unpack_packages PACKAGE...: false when it cannot get them. A package is done when all its files are in place: after an
# interruption it is unpacked again.
unpack_packages() {
  local tree uri file size rest bytes=0 files=()
  tree=$(package_tree)
  mkdir -p "$tree"/apt/{lists/partial,archives/partial,none/partial} "$tree/usr" "$tree/done" || return
  : >"$tree/apt/status"
  user_apt update >"$tree/apt/log" 2>&1 || true # the packages may come from another repository than the one that fails
  while read -r uri file size rest; do
    if [[ $uri == \'* && ! -e $tree/done/$file ]]; then
      files+=("$file")
      bytes=$((bytes + size))
    fi
  done < <(user_apt -o Dir::Cache::archives="$tree/apt/none" install --print-uris "$@" 2>>"$tree/apt/log")
  if ((${#files[@]})); then
    say "without root: downloading ${#files[@]} Debian packages, $(((bytes + 999999) / 1000000)) MB, into $tree, for: $*"
    user_apt install --download-only "$@" >>"$tree/apt/log" 2>&1 || return
  fi
  for file in "${files[@]}"; do
    dpkg-deb -x "$tree/apt/archives/$file" "$tree" || return
  done
  relocate
  wrap_compilers
  for file in "${files[@]}"; do
    : >"$tree/done/$file"
  done
  rm -f "$tree"/apt/archives/*.deb
}

# Adds programs, libraries and certificates of the tree after those of the machine.
use_package_tree() {
  local tree
  tree=$(package_tree)
  [[ -d $tree/done ]] || return 0
  has gcc && has g++ || PATH=$tree/bin:$PATH
  export PATH=$PATH:$tree/bin:$tree/usr/bin
  export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$tree/runtime
  export PKG_CONFIG_PATH=${PKG_CONFIG_PATH:+$PKG_CONFIG_PATH:}$tree/usr/lib/$triplet/pkgconfig:$tree/usr/share/pkgconfig
  [[ -d /usr/share/pandoc || ! -d $tree/usr/share/pandoc ]] || export pandoc_datadir=$tree/usr/share/pandoc
  if [[ ! -s /etc/ssl/certs/ca-certificates.crt && -s $tree/certificates.crt ]]; then
    export SSL_CERT_FILE=${SSL_CERT_FILE:-$tree/certificates.crt} PIP_CERT=${PIP_CERT:-$tree/certificates.crt}
  fi
}

# install THING...: gets missing things if it can do so without a question. The caller then checks for their presence.
install() {
  local packages
  packages=$(missing_packages "$@")
  [[ -n $packages && -z $offline ]] || return 0
  # shellcheck disable=SC2086 # a list of package names
  if ((EUID == 0)) && has apt-get; then
    install_as_root $packages
  elif is_debian; then
    make_cache
    (flock 9 && unpack_packages $packages) 9>"$cache/packages.lock" || true
    use_package_tree
  fi
  unreachable='; cannot download it: is there a network? Otherwise'
}
unreachable=''

need() { # need THING...: exits with one line if it cannot get a missing one
  install "$@"
  local packages
  packages=$(missing_packages "$@")
  [[ -z $packages ]] || die "missing: $packages${unreachable:-;} run: $(install_command "$packages")"
}

want() { # want "what the kit skips without them" THING...
  local loss=$1 packages
  shift
  install "$@"
  packages=$(missing_packages "$@")
  [[ -z $packages ]] || say "$loss; run: $(install_command "$packages")"
}
