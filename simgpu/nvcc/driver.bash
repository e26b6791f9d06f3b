#!/usr/bin/env bash
# driver.bash TOOLKIT ARGUMENT...: nvcc for the simulated GPU. It chooses the architecture, checks the libraries that a
# program is linked with, and runs NVIDIA's nvcc in the folder that toolkit.bash makes.
set -euo pipefail

toolkit=$1
shift

say() { printf 'simgpu nvcc: %s\n' "$*" >&2; }
die() {
  say "$@"
  exit 2
}

device_arch=90  # the compute capability of the simulated GPU: no newer PTX
default_arch=80 # the PTX that the suites of the simulated GPU cover
oldest_arch=$(<"$toolkit/oldest")

# Puts the words of option files and of nvcc's variables in their places: words.
expand() { # expand ARGUMENT...
  local file option
  while (($#)); do
    option=$1
    case $1 in
      -optf | --options-file)
        file=${2-}
        shift
        ;;
      -optf=* | --options-file=*) file=${1#*=} ;;
      *) file='' && words+=("$1") ;;
    esac
    if [[ -n $file ]]; then
      [[ -r $file ]] || die "${option%%=*}: cannot read the file '$file'"
      mapfile -t -O "${#words[@]}" words < <(xargs -n 1 printf '%s\n' <"$file")
    fi
    shift
  done
}

# The options whose value may be the next word.
takes_value() {
  case $1 in
    -o | -D | -I | -L | -l | -U | -x | -t | -odir | -objtemp | -std | -ccbin | -include | -isystem | -idp | -MF | -MT | -MQ | -maxrregcount | \
      -Xcompiler | -Xlinker | -Xptxas | -Xcudafe | -Xnvlink | -Xarchive | -Xfatbin | -cudart | -cudadevrt | -rdc | \
      -arch | -code | -gencode | -m | -O | -compress-mode | -diag-suppress | -diag-error | -diag-warn | -Werror | -time | -prec-div | \
      -prec-sqrt | -ftz | -fmad | -default-stream | -ldir | -ddir | -target-dir | -keep-dir | -run-args | -split-compile | -threads) return 0 ;;
    --output-file | --define-macro | --include-path | --library-path | --library | --undefine-macro | --x | --threads | --output-directory | \
      --std | --compiler-bindir | --pre-include | --system-include | --dependency-output | --maxrregcount | --compiler-options | \
      --linker-options | --ptxas-options | --cudart | --cudadevrt | --relocatable-device-code | --gpu-architecture | --gpu-code | \
      --generate-code | --machine | --optimize | --default-stream | --ftz | --prec-div | --prec-sqrt | --fmad | --diag-suppress | \
      --archive-options | --nvlink-options | --keep-dir | --run-args) return 0 ;;
  esac
  return 1
}

# Adds the compute capabilities that an architecture names to archs.
note_arch() { # note_arch VALUE
  local rest=$1
  [[ $1 != *native* ]] || archs+=("$device_arch")
  while [[ $rest =~ (compute|sm|lto)_([0-9]+)([af]?)(.*) ]]; do
    archs+=("${BASH_REMATCH[2]}")
    [[ ${BASH_REMATCH[2]}${BASH_REMATCH[3]} != 90a ]] || specific=a
    rest=${BASH_REMATCH[4]}
  done
}

# The newest requested architecture that the simulated GPU runs.
choose_arch() {
  local one best=0 newest=0
  for one in "${archs[@]}"; do
    ((one <= device_arch && one > best)) && best=$one
    ((one <= newest)) || newest=$one
  done
  arch=$default_arch
  if ((newest == 0)); then
    return
  elif ((best == 0)); then
    arch=$device_arch
    say "the simulated GPU is sm_$device_arch: compiling for it, not for sm_$newest"
  elif ((best < oldest_arch)); then
    arch=$oldest_arch
    say "this nvcc does not know sm_$best: compiling for sm_$arch, the oldest that it knows"
  else
    arch=$best
  fi
  [[ $arch != 90 ]] || arch+=$specific
  [[ $best -eq 0 || -z $codes || $codes =~ (compute|lto)_|sm_$device_arch ]] ||
    say "an H200 would not load these kernels: the options ask for no code of sm_$device_arch and for no PTX (code=compute_…)"
}

# Sets archs, libraries and what nvcc is to make, and the words for it without architectures: arguments.
parse() { # parse ARGUMENT...
  local option value
  while (($#)); do
    option=$1 value='' words=("$1")
    if [[ $1 == -*=* ]]; then
      option=${1%%=*} value=${1#*=}
    elif takes_value "$1" && (($# > 1)); then
      value=$2 words+=("$2")
      shift
    fi
    shift
    case $option in
      -arch | --gpu-architecture)
        note_arch "$value"
        continue
        ;;
      -code | --gpu-code | -gencode | --generate-code)
        note_arch "$value"
        codes+=" ${value##*code=}"
        continue
        ;;
      -dlto | --dlink-time-opt | -lto) continue ;; # there is no machine code to optimise
      -rdc | --relocatable-device-code) [[ $value != true ]] || relocatable=1 ;;
      -dc | --device-c | -dw | --device-w) relocatable=1 links='' ;;
      -dlink | --device-link) relocatable=1 links='' ;;
      -G | --device-debug) lines='' ;;
      -res-usage | --resource-usage) resources=1 ;;
      -Xptxas | --ptxas-options) [[ ! ,$value, =~ ,(-v|--verbose), ]] || resources=1 ;;
      -cubin | --cubin) machine_code=1 links='' ;;
      -c | --compile | -ptx | --ptx | -fatbin | --fatbin | -E | --preprocess | -M | -MM | --generate-dependencies | -lib | --lib | -cuda | --cuda | \
        -optix-ir | --optix-ir | -ltoir | --ltoir | -V | --version | -h | --help | --list-gpu-arch | --list-gpu-code)
        links=''
        ;;
      -l | --library) libraries+=("$value") ;;
      -l?*) libraries+=("${option#-l}") ;;
      *.o | *.a | *.so | *.so.* | *.obj)
        [[ $option == -* ]] || objects=1
        note_file "$option"
        ;;
    esac
    arguments+=("${words[@]}")
  done
}

# A library by its path: NVIDIA's own cannot work here, so the toolkit's takes its place.
note_file() { # note_file PATH: sets words
  local name=${1##*/}
  [[ $name =~ ^lib([A-Za-z0-9_]+)\.(so|a)[0-9.]*$ ]] || return 0
  name=${BASH_REMATCH[1]}
  is_nvidia "${name%_static}" || return 0
  libraries+=("$name")
  words=("-l$name")
}

# True for libraries of NVIDIA's toolkit and its neighbours.
is_nvidia() { # is_nvidia NAME: sets product
  case $1 in
    cudart | cuda | cublas | cublasLt | cufft | curand | cusolver | cusolverMg | cusparse | nccl | nvrtc | nvJitLink) product='' ;;
    cufftw) product="cuFFT's interface of FFTW" ;;
    cusparseLt) product=cuSPARSELt ;;
    cudnn*) product=cuDNN ;;
    npp | nppc | nppi*  | npps) product=NPP ;;
    nvjpeg) product=nvJPEG ;;
    nvToolsExt) product='the NVTX library' ;; # NVTX 3 consists of headers only
    nvidia-ml) product=NVML ;;
    cupti) product=CUPTI ;;
    cutensor) product=cuTENSOR ;;
    cufile) product=cuFile ;;
    nvblas) product=NVBLAS ;;
    *) return 1 ;;
  esac
}

# Builds the libraries at their first use, and refuses what the simulated GPU does not have.
check_libraries() {
  local library name header
  for library in "${libraries[@]}"; do
    name=${library%_static}
    is_nvidia "$name" || continue
    [[ -z $product ]] ||
      die "-l$library: $product is not part of the simulated GPU; expected: cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE, NCCL, NVRTC, nvJitLink (see simgpu/docs/toolkit.md)"
    case $name in
      cuda) header=cuda.h ;;
      cublas) header=cublas_v2.h ;;
      cublasLt) header=cublasLt.h ;;
      cufft) header=cufft.h ;;
      curand) header=curand_kernel.h ;;
      cusolver) header=cusolverDn.h ;;
      cusolverMg) header=cusolverMg.h name=cusolver ;;
      cusparse) header=cusparse.h ;;
      nccl) header=nccl.h ;;
      nvrtc) header=nvrtc.h ;;
      nvJitLink) header=nvJitLink.h name=nvjitlink ;;
      *) continue ;;
    esac
    [[ -f $toolkit/include/$header ]] ||
      die "-l$library: the CUDA Toolkit has no $header: install NVIDIA's package with the headers of $name"
    [[ ! -f $toolkit/archives/libsimgpu_${name%Lt}.a ]] || continue
    [[ -x $toolkit/make_libraries ]] ||
      die "-l$library: this simulated GPU has no libraries: expected the whole project, as its README.md says"
    "$toolkit/make_libraries"
  done
}

words=() archs=() codes='' arguments=() libraries=() specific='' relocatable='' machine_code='' objects='' resources='' links=1 lines=-lineinfo product=''
# shellcheck disable=SC2086 # nvcc splits these variables at blanks, too
expand ${NVCC_PREPEND_FLAGS-} "$@" ${NVCC_APPEND_FLAGS-}
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
parse "${words[@]}"
choose_arch
if [[ -n $links ]]; then
  check_libraries
  # first, because programs name NVIDIA's folder themselves
  arguments=("-L$toolkit/lib64" "${arguments[@]}")
fi
# The simulated GPU needs the PTX. The device linker needs machine code, and its result refers to the PTX.
code=compute_$arch
if [[ -n $machine_code ]]; then
  code=sm_$arch
elif [[ -n $relocatable || -n $links && -n $objects ]]; then
  code=[compute_$arch,sm_$arch]
elif [[ -n $resources ]]; then
  code=[compute_$arch,sm_$device_arch] # ptxas prints what kernels use, and makes machine code for it
fi
exec "$toolkit/bin/nvcc.nvidia" "${arguments[@]}" "-gencode=arch=compute_$arch,code=$code" ${lines:+"$lines"} -no-compress
