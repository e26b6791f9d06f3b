# Sourced by ./kit for `./kit doctor` and `./kit setup`.
# shellcheck shell=bash disable=SC2154 # root, nvcc_hint, cache: set by ./kit and its parts

report() { printf '%-18s %-11s %s\n' "$@"; }

unhealthy() { # reports something that ./kit run needs and cannot get
  report "$1" missing "$2"
  healthy=0
}

can_get_packages() { [[ -z $offline ]] && is_debian; }

report_machine() {
  if is_supported_machine; then
    report machine ok "Linux on $processor"
  else
    unhealthy machine "this is $(uname -s) on $processor: the kit needs Linux on x86_64 or aarch64 (arm64)"
  fi
}

report_nvcc() {
  local nvcc installed ptxas
  installed=$(command -v nvcc || true)
  if [[ -n $installed ]] && ! is_supported_nvcc "$installed"; then
    report nvcc 'not used' "$installed is version '$(nvcc_version "$installed")'; the kit needs 12 or 13"
  fi
  if nvcc=$(find_nvcc); then
    report nvcc ok "$(nvcc_version "$nvcc"), $nvcc"
    ptxas=$("$nvcc" --dryrun -x cu /dev/null 2>&1) || true
    [[ ! $ptxas =~ _HERE_=([^$'\n']*) ]] || ptxas=${BASH_REMATCH[1]}/ptxas
    [[ -x $ptxas ]] || ! has gcc || unhealthy ptxas "not found beside $nvcc: $nvcc_hint"
    return
  fi
  if [[ -z $offline ]] && is_supported_machine; then
    incomplete=1
    report nvcc 'not yet' "./kit setup downloads version $(wheel_version) into $cache (at most 129 MB); or $nvcc_hint"
  else
    unhealthy nvcc "$nvcc_hint"
  fi
}

# Reports every GPU, even one that is too old.
report_gpus() {
  local line
  has nvidia-smi || return 0
  while IFS= read -r line; do
    if [[ ! $line =~ \ ([0-9]+\.[0-9])$ ]]; then
      continue
    elif is_supported_gpu "${BASH_REMATCH[1]}"; then
      report GPU ok "$line"
    else
      report GPU 'too old' "$line: CUDA 13 needs compute capability $oldest_gpu; the kit uses the simulated GPU"
    fi
  done < <(nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader 2>/dev/null)
}

report_gpu() {
  report_gpus
  if ! has_gpu; then
    report GPU 'not needed' "the kit uses the simulated GPU; a real one needs compute capability $oldest_gpu or higher"
    return
  fi
  report driver ok "$(first_line nvidia-smi --query-gpu=driver_version --format=csv,noheader)"
  local tool
  for tool in ncu compute-sanitizer; do
    if has "$tool"; then
      report "$tool" ok "$(command -v "$tool")"
    else
      report "$tool" missing 'optional; part of the full CUDA Toolkit: https://developer.nvidia.com/cuda-downloads'
    fi
  done
}

report_thing() { # report_thing required|PURPOSE NAME THING VERSION_COMMAND...
  local purpose=$1 name=$2 thing=$3 mend
  shift 3
  if present "$thing"; then
    report "$name" ok "$(first_line "$@")"
    return
  fi
  mend=$(install_command "$(missing_packages "$thing")")
  if can_get_packages; then
    [[ $purpose != required ]] || purpose=''
    report "$name" 'not yet' "${purpose:+$purpose: }./kit setup gets it; or $mend"
    incomplete=1
  elif [[ $purpose != required ]]; then
    report "$name" missing "$purpose: $mend"
  else
    unhealthy "$name" "$mend"
  fi
}

# report_optional LOSS THING VERSION_COMMAND...: a package of Debian that one command needs, and that setup does not get
report_optional() {
  local loss=$1 thing=$2
  shift 2
  if present "$thing"; then
    report "$thing" ok "$(first_line "$@")"
  else
    report "$thing" missing "optional; without it $loss: $(install_command "$(missing_packages "$thing")")"
  fi
}

# A student's copy has no instructor/, and need not have the book.
report_documents() {
  local slides=''
  [[ ! -f $root/instructor/slides ]] || slides=' and no slides'
  if has_command book; then
    report_optional "there is no ./kit book$slides" pandoc "$(find_pandoc || true)" --version
    report_optional 'there is no ./kit book --pdf' chromium "$(find_browser || true)" --version
  fi
  [[ ! -f $root/instructor/similarity ]] ||
    report_optional 'there is no instructor/similarity' similarity-tester command -v sim_c
}

report_builder() {
  local tool='make'
  ! has ninja || tool='ninja'
  report_thing required "$tool" builder "$tool" --version
}

command_doctor() {
  takes_nothing doctor "$@"
  healthy=1 incomplete=''
  local tool
  report_machine
  report_nvcc
  report_gpu
  for tool in gcc g++ cmake; do
    report_thing required "$tool" "$tool" "$tool" --version
  done
  report_builder
  report_thing 'for check and grade' pkg-config pkg-config pkg-config --version
  report_thing 'for check and grade' Check check pkg-config --modversion check
  report_thing 'for points' jansson jansson pkg-config --modversion jansson
  report_thing 'for points' libconfig libconfig pkg-config --modversion libconfig
  report_thing 'for points' nettle nettle pkg-config --modversion nettle
  report_thing 'for archives' libarchive libarchive pkg-config --modversion libarchive
  report_thing 'to isolate graded programs' bubblewrap bubblewrap bwrap --version
  report_thing 'to isolate graded programs' libseccomp libseccomp pkg-config --modversion libseccomp
  report_thing 'for pictures' Matplotlib matplotlib "$(find_plot_python || true)" -c 'import matplotlib, platform, sys
print(matplotlib.__version__, "with Python", platform.python_version() + ",", sys.executable)'
  report_documents
  report cache "$([[ -d $cache ]] && echo ok || echo empty)" "$cache: the kit's downloads"
  warn_of_changed_files '[^/]*'
  if ((!healthy)); then
    say 'this machine lacks something that ./kit run needs; see the lines marked missing'
    exit 1
  fi
  [[ -z $incomplete ]] || echo 'Run ./kit setup to get what is missing. Other commands get what they need, too.'
}

command_setup() {
  local build_too=1
  while (($#)); do
    case $1 in
      --no-build) build_too='' ;;
      --offline) offline=1 ;;
      *) die "setup: unknown argument '$1'; see ./kit setup --help" ;;
    esac
    shift
  done
  need_nvcc
  need "${compilers[@]}" pkg-config check jansson libconfig nettle
  want 'without libarchive, archives are not read' libarchive
  want 'without bubblewrap and libseccomp, graded programs are not fully isolated' bubblewrap libseccomp
  want 'without Matplotlib there are no pictures' matplotlib
  [[ -z $build_too ]] || build_or_die grading
  say "ready; nvcc $(nvcc_version "$(find_nvcc)"): $(find_nvcc)"
}
