# Sourced by ./kit: finds what this machine has. ./kit doctor must run with bash and coreutils alone, so this file uses
# no grep, sed, awk or find.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

# The folder for downloads, shared by all copies of the kit of this user.
cache_folder() {
  local base=${XDG_CACHE_HOME-}
  [[ $base == /* ]] || base=${HOME:-/tmp/checkerboard-$EUID}/.cache
  echo "$base/checkerboard"
}
cache=$(cache_folder)
export MPLCONFIGDIR=${MPLCONFIGDIR:-$cache/matplotlib} # for Matplotlib's list of fonts

make_cache() {
  if ! mkdir -p "$cache" 2>/dev/null || [[ ! -w $cache ]]; then
    die "$cache is not writable: set XDG_CACHE_HOME to a writable folder"
  fi
}

has() { command -v "$1" >/dev/null; }

# The kit runs on two kinds of processor. Others have no simulated GPU (simgpu/CMakeLists.txt) and no wheels
# of the compiler.
processor=$(uname -m)
is_supported_machine() { [[ $(uname -s) == Linux && $processor =~ ^(x86_64|aarch64)$ ]]; }

# Prints the first line of a command's output; prints nothing if the command fails.
first_line() {
  local line=''
  IFS= read -r line < <("$@" 2>/dev/null) || true
  printf '%s\n' "$line"
}

nvcc_version() { # nvcc_version NVCC: prints 13.0, or nothing if it does not run
  local said
  said=$("$1" --version 2>/dev/null) || true
  [[ ! $said =~ release\ ([0-9.]+) ]] || echo "${BASH_REMATCH[1]}"
}

is_supported_nvcc() { [[ -x $1 && $(nvcc_version "$1") =~ ^1[23]\. ]]; }

# The version of NVIDIA's compiler that the kit downloads if the machine has none.
cuda_wheels=$root/commands/setup/cuda_wheels.txt
wheel_version() {
  local line
  while read -r line; do
    [[ $line =~ ^nvidia-cuda-nvcc==([0-9.]+) ]] && echo "${BASH_REMATCH[1]}" && break
  done <"$cuda_wheels"
}
cuda_folder() { echo "$cache/cuda-$(wheel_version)"; }

# Prefers an installed nvcc that is supported to the downloaded one. CHECKERBOARD_CUDA=wheels ignores installed ones.
find_nvcc() {
  local candidate candidates=("$(command -v nvcc || true)" "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" /usr/local/cuda/bin/nvcc)
  [[ ${CHECKERBOARD_CUDA-} != wheels ]] || candidates=()
  for candidate in "${candidates[@]}" "$(cuda_folder)/bin/nvcc"; do
    if [[ -n $candidate ]] && is_supported_nvcc "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# The compute capabilities of the GPUs that nvidia-smi lists, one per line.
gpu_capabilities() {
  local line
  has nvidia-smi || return 0
  while IFS= read -r line; do
    [[ ! $line =~ ^[0-9]+\.[0-9]$ ]] || echo "$line"
  done < <(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null)
}

oldest_gpu=7.5 # the lowest compute capability that CUDA 13 supports

is_supported_gpu() { ((${1/./} >= ${oldest_gpu/./})); } # is_supported_gpu CAPABILITY

has_gpu() {
  local capability
  for capability in $(gpu_capabilities); do
    ! is_supported_gpu "$capability" || return 0
  done
  return 1
}

# Debian's Matplotlib belongs to /usr/bin/python3, which need not be the first python3 on PATH.
find_python() { # find_python MODULE...: a Python that has the modules
  local candidate modules
  printf -v modules 'import %s;' "$@"
  for candidate in /usr/bin/python3 python3; do
    if has "$candidate" && "$candidate" -c "$modules" 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

find_plot_python() { find_python matplotlib numpy; }

# PyPI's wheel pypandoc_binary contains pandoc, too.
find_pandoc() {
  local python
  if python=$(find_python pypandoc); then
    "$python" -c 'import pypandoc; print(pypandoc.get_pandoc_path())' 2>/dev/null && return
  fi
  command -v pandoc
}

find_browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable microsoft-edge; do
    command -v "$name" && return
  done
  return 1
}

declare -A libraries=() # that were found
has_library() { [[ -n ${libraries[$1]-} ]] || { has pkg-config && pkg-config --exists "$1" && libraries[$1]=1; }; }

# present THING: one probe per thing that a command may need.
present() {
  case $1 in
    check | jansson | libconfig | nettle | libarchive | libseccomp) has_library "$1" ;;
    matplotlib) find_plot_python >/dev/null ;;
    bubblewrap) has bwrap ;;
    pandoc) find_pandoc >/dev/null ;;
    chromium) find_browser >/dev/null ;;
    similarity-tester) has sim_c ;;
    pip) find_python pip >/dev/null ;;
    builder) has ninja || has make ;;
    certificates) [[ -s ${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt} ]] ;;
    *) has "$1" ;;
  esac
}

is_debian() { has apt-get && has dpkg-deb; }
