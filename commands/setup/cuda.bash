# Sourced by ./kit: gets NVIDIA's compiler from its PyPI wheels (cuda_wheels.txt), for machines without a CUDA Toolkit.
# shellcheck shell=bash disable=SC2154 # cache, cuda_wheels, offline: set by ./kit and machine.bash

nvcc_hint='install the CUDA Toolkit 12 or 13 (https://developer.nvidia.com/cuda-downloads) or set CUDA_HOME'

# wheel_address REQUIREMENT: prints the wheel's address in the package index, or nothing if pip does not report it.
wheel_address() {
  local said
  said=$("${pip[@]}" install --dry-run --ignore-installed --no-deps --quiet --no-cache-dir --report - \
    --require-hashes -r <(echo "$1") 2>/dev/null) || true
  [[ ! $said =~ \"url\":\ *\"((https?|file)://[^\"]*)\" ]] || echo "${BASH_REMATCH[1]}"
}

is_right_file() { [[ -f $1 ]] && sha256sum --check --status <<<"$2  $1"; } # is_right_file FILE SHA256

# curl continues an interrupted download where it stopped; pip cannot, but it knows mirrors and passwords.
download_wheel() { # download_wheel REQUIREMENT SHA256 FILE
  local address='' progress=--silent partial=$3.part
  [[ ! -t 2 ]] || progress=--progress-bar
  ! has curl || address=$(wheel_address "$1")
  if [[ -n $address ]]; then
    curl --location --fail "$progress" --connect-timeout 20 --retry 2 --continue-at - --output "$partial" \
      ${PIP_CERT:+--cacert "$PIP_CERT"} "$address" || true
  fi
  if ! is_right_file "$partial" "$2"; then
    "${pip[@]}" download --quiet --no-deps --retries 1 --timeout 30 --dest "$cache/wheels/pip" \
      --require-hashes -r <(echo "$1") >&2 && mv "$cache"/wheels/pip/*.whl "$partial"
    rm -rf "$cache/wheels/pip"
  fi
  if ! is_right_file "$partial" "$2"; then
    rm -f "$partial"
    return 1
  fi
  mv "$partial" "$3"
}

# The unpacked wheels form a toolkit, except for two names that the linker expects.
assemble() { # assemble FOLDER WHEEL...
  local folder=$1 part=$1.part
  shift
  rm -rf "$part"
  "${pip[@]}" install --quiet --no-index --no-deps --no-compile --no-warn-script-location --root-user-action ignore --target "$part" "$@" >&2 || return
  local toolkit=("$part"/nvidia/cu*)
  ln -s lib "${toolkit[0]}/lib64"
  ln -s libcudart.so.13 "${toolkit[0]}/lib/libcudart.so"
  mkdir "${toolkit[0]}/licenses"
  local info name
  for info in "$part"/*.dist-info; do
    name=${info##*/}
    cp "$info"/licenses/License.txt "${toolkit[0]}/licenses/${name%%-*}.txt"
  done
  [[ -x ${toolkit[0]}/bin/nvcc ]] && mv "${toolkit[0]}" "$folder" && rm -rf "$part"
}

fetch_cuda() { # fetch_cuda FOLDER
  local folder=$1 line name version sha256 number=0 files=() requirements=() pip file
  pip=("$(find_python pip)" -m pip --disable-pip-version-check)
  while read -r line; do
    [[ ! $line =~ ^nvidia-.*\"$processor\" ]] || requirements+=("$line")
  done <"$cuda_wheels"
  mkdir -p "$cache/wheels"
  for line in "${requirements[@]}"; do
    [[ $line =~ ^([^=]+)==([^\ ]+)\ .*--hash=sha256:([0-9a-f]+) ]]
    name=${BASH_REMATCH[1]} version=${BASH_REMATCH[2]} sha256=${BASH_REMATCH[3]} number=$((number + 1))
    # pip reads tags from the name; the kit assumes a glibc that is new enough for CUDA 13
    file=$cache/wheels/${name//-/_}-$version-py3-none-any.whl
    if ! is_right_file "$file" "$sha256"; then
      say "$number of ${#requirements[@]}: $name $version"
      download_wheel "$name==$version --hash=sha256:$sha256" "$sha256" "$file" || return
    fi
    files+=("$file")
  done
  assemble "$folder" "${files[@]}" && rm -f "${files[@]}" && rmdir --ignore-fail-on-non-empty "$cache/wheels"
}

has_room() { # has_room FOLDER MEGABYTES
  local free
  free=$(df --output=avail -k "$1" 2>/dev/null | tail -n 1) || return 0
  ((free >= $2 * 1000))
}

# Puts the compiler into the cache unless it is there; exits with one line if it cannot.
get_cuda() {
  local folder
  folder=$(cuda_folder)
  [[ -z $offline ]] || die "nvcc not found, and downloads are off (--offline): $nvcc_hint"
  is_supported_machine || die "nvcc not found: $nvcc_hint"
  need pip certificates
  want 'without curl, an interrupted download starts again' curl
  make_cache
  has_room "$cache" 500 || die "nvcc not found, and $cache has no room for it: free 500 MB, or $nvcc_hint"
  say "nvcc not found: downloading NVIDIA's compiler $(wheel_version) from PyPI (at most 129 MB, 346 MB on disk) into $folder"
  say "its licence is NVIDIA's CUDA EULA, https://docs.nvidia.com/cuda/eula; the texts are put in $folder/licenses"
  (flock 9 && { [[ -x $folder/bin/nvcc ]] || fetch_cuda "$folder"; }) 9>"$cache/cuda.lock" ||
    die "cannot get NVIDIA's compiler from PyPI: is there a network? Run the command again, or $nvcc_hint"
}

need_nvcc() { find_nvcc >/dev/null || get_cuda; }
