# Sourced by ./kit: what this machine has. ./kit doctor runs this where there is nothing but bash and coreutils, so
# grep, sed, awk and find are not used here.
# shellcheck shell=bash disable=SC2154 # root: set by ./kit

# Where the kit keeps what it downloads, for all copies of the kit of this user.
cache_folder() {
  local base=${XDG_CACHE_HOME-}
  [[ $base == /* ]] || base=${HOME:-/tmp/checkerboard-$EUID}/.cache
  echo "$base/checkerboard"
}
cache=$(cache_folder)
export MPLCONFIGDIR=${MPLCONFIGDIR:-$cache/matplotlib} # where Matplotlib keeps its list of fonts

make_cache() {
  if ! mkdir -p "$cache" 2>/dev/null || [[ ! -w $cache ]]; then
    die "$cache cannot be written: set XDG_CACHE_HOME to a folder that can"
  fi
}

has() { command -v "$1" >/dev/null; }

# The first line of what a command prints; nothing when it fails.
first_line() {
  local line=''
  IFS= read -r line < <("$@" 2>/dev/null) || true
  printf '%s\n' "$line"
}

nvcc_version() { # nvcc_version NVCC: 13.0; nothing when it does not run
  local said
  said=$("$1" --version 2>/dev/null) || true
  [[ ! $said =~ release\ ([0-9.]+) ]] || echo "${BASH_REMATCH[1]}"
}

is_supported_nvcc() { [[ -x $1 && $(nvcc_version "$1") =~ ^1[23]\. ]]; }

# Version of NVIDIA's compiler that the kit downloads where there is none.
cuda_wheels=$root/commands/setup/cuda_wheels.txt
wheel_version() {
  local line
  while read -r line; do
    [[ ! $line =~ ^nvidia-cuda-nvcc==([0-9.]+) ]] || echo "${BASH_REMATCH[1]}"
  done <"$cuda_wheels"
}
cuda_folder() { echo "$cache/cuda-$(wheel_version)"; }

# An installed nvcc that is supported, then the downloaded one. CHECKERBOARD_CUDA=wheels ignores the installed ones.
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

# The compute capabilities of the GPUs that nvidia-smi lists, one a line.
gpu_capabilities() {
  local line
  has nvidia-smi || return 0
  while IFS= read -r line; do
    [[ ! $line =~ ^[0-9]+\.[0-9]$ ]] || echo "$line"
  done < <(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null)
}

oldest_gpu=7.5 # compute capability, of CUDA 13

is_supported_gpu() { ((${1/./} >= ${oldest_gpu/./})); } # is_supported_gpu CAPABILITY

has_gpu() {
  local capability
  for capability in $(gpu_capabilities); do
    ! is_supported_gpu "$capability" || return 0
  done
  return 1
}

# Debian's Matplotlib belongs to /usr/bin/python3, which need not be the first python3 on PATH.
find_python() { # find_python MODULE...: one that has the modules
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

has_library() { has pkg-config && pkg-config --exists "$1"; }

# present THING: one probe per thing that a command may need.
present() {
  case $1 in
    check | jansson | libconfig | nettle | libarchive) has_library "$1" ;;
    matplotlib) find_plot_python >/dev/null ;;
    pip) find_python pip >/dev/null ;;
    builder) has ninja || has make ;;
    certificates) [[ -s ${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt} ]] ;;
    *) has "$1" ;;
  esac
}

is_debian() { has apt-get && has dpkg-deb; }
