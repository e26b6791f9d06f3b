# Sourced by ./kit: nvcc and toolkit. The folder build/sim/toolkit looks like a CUDA Toolkit to CMake, make and g++. Its
# nvcc is driver.bash, and its libraries are those of the simulated GPU.
#
# toolkit: The simulated GPU's runtime, cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE, NVRTC and nvJitLink take the places of
# toolkit: NVIDIA's in it. Use:
# toolkit:   cmake -DCMAKE_CUDA_COMPILER=$(./kit toolkit)/bin/nvcc ...
# toolkit:   make NVCC=$(./kit toolkit)/bin/nvcc CUDA_HOME=$(./kit toolkit)
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit and its parts

# A linker script stands for a shared library, so that -lNAME finds it, and so does CMake.
stand_in() { # stand_in NAME ARCHIVE...: in the folder $lib
  printf 'GROUP(' >"$lib/lib$1.so"
  printf ' %s' "${@:2}" "$build/lib/libsimgpu_cudart.a" >>"$lib/lib$1.so"
  echo ' -lpthread -ldl -lm )' >>"$lib/lib$1.so"
  ln -sfn "${2:-$build/lib/libsimgpu_cudart.a}" "$lib/lib$1_static.a"
}

# Those whose header the toolkit has. In the folder $lib, with headers in $headers.
stand_in_libraries() {
  local sparse=()
  [[ ! -f $headers/cublas_v2.h ]] || stand_in cublas "$build/lib/libsimgpu_cublas.a"
  [[ ! -f $headers/cublasLt.h ]] || stand_in cublasLt "$build/lib/libsimgpu_cublas.a"
  [[ ! -f $headers/cufft.h ]] || stand_in cufft "$build/lib/libsimgpu_cufft.a"
  [[ ! -f $headers/curand_kernel.h ]] || stand_in curand "$build/lib/libsimgpu_curand.a"
  [[ ! -f $headers/cusparse.h ]] || sparse=("$build/lib/libsimgpu_cusparse.a")
  [[ ! -f $headers/cusparse.h ]] || stand_in cusparse "${sparse[@]}"
  [[ ! -f $headers/cusolverDn.h ]] || stand_in cusolver "$build"/lib/libsimgpu_{cusolver,cublas}.a "${sparse[@]}"
  [[ ! -f $headers/cusolverMg.h ]] || stand_in cusolverMg "$build"/lib/libsimgpu_{cusolver,cublas}.a "${sparse[@]}"
  [[ ! -f $headers/nvrtc.h ]] || stand_in nvrtc "$build/lib/libsimgpu_nvrtc.a"
  [[ ! -f $headers/nvJitLink.h ]] || stand_in nvJitLink "$build/lib/libsimgpu_nvjitlink.a"
}

fill_toolkit() { # fill_toolkit FOLDER NVCC
  local said top here lib=$1/lib64 headers name file
  said=$("$2" --dryrun -x cu /dev/null 2>&1) || true
  here=$(sed -n 's/^#\$ _HERE_=//p' <<<"$said") top=$(sed -n 's/^#\$ TOP=//p' <<<"$said")
  [[ -x $here/nvcc && -d $top ]] || die "nvcc: $2 does not say where its toolkit is: $nvcc_hint"
  top=$(realpath "$top")
  headers=$top/targets/x86_64-linux/include
  [[ -f $headers/cuda_runtime.h ]] || headers=$top/include
  mkdir -p "$1/bin" "$lib/stubs" "$1/targets/x86_64-linux"
  for file in "$top"/* "$here"/*; do
    name=${file##*/}
    case $file in
      "$top/bin" | "$top/include" | "$top/lib" | "$top/lib64" | "$top/targets" | */nvcc) ;;
      "$here"/*) ln -sfn "$file" "$1/bin/$name" ;;
      *) ln -sfn "$file" "$1/$name" ;;
    esac
  done
  ln -sfn "$here/nvcc" "$1/bin/nvcc.nvidia" # nvcc takes the folder of this link for that of its toolkit
  ln -sfn "$headers" "$1/include"
  ln -sfn "$headers" "$1/targets/x86_64-linux/include"
  ln -sfn ../../lib64 "$1/targets/x86_64-linux/lib"
  ln -sfn lib64 "$1/lib"
  stand_in cudart
  stand_in cuda
  [[ ! -d $root/simgpu/libraries ]] || stand_in_libraries
  ln -sfn ../libcuda.so "$lib/stubs/libcuda.so"
  for file in "$top"/targets/x86_64-linux/lib/libcudadevrt.a "$top"/lib*/libcudadevrt.a; do
    [[ ! -f $file ]] || ln -sfn "$file" "$lib/libcudadevrt.a"
  done
  printf '!<arch>\n' >"$lib/libculibos.a" # an empty archive: NVIDIA's static libraries need it, these do not
  "$2" --list-gpu-arch 2>/dev/null | sed -n 's/^compute_\([0-9]*\)$/\1/p' | sort -n | head -n 1 >"$1/oldest"
  printf '#!/usr/bin/env bash\nexec %q %q "$@"\n' "$root/commands/nvcc/driver.bash" "$1" >"$1/bin/nvcc"
  chmod +x "$1/bin/nvcc"
}

# Makes build/sim/toolkit, unless it is there and belongs to the same nvcc and folder.
make_toolkit() {
  local nvcc stamp=$build/toolkit/made
  nvcc=$(find_nvcc)
  [[ -f $stamp && $(<"$stamp") == "$nvcc $root $build" && ! $root/commands/nvcc/nvcc.bash -nt $stamp ]] && return
  (
    flock 9
    rm -rf "$build/toolkit"
    fill_toolkit "$build/toolkit" "$nvcc"
    echo "$nvcc $root $build" >"$stamp"
  ) 9>"$build/kit.lock" || exit
}

command_nvcc() {
  [[ $# -gt 0 ]] || die "nvcc: expected source files and options, as in ./kit nvcc prog.cu -o prog"
  need_nvcc
  need "${compilers[@]}"
  build_or_die simgpu_cudart simgpu-device
  make_toolkit
  exec "$build/toolkit/bin/nvcc" "$@"
}

command_toolkit() {
  takes_nothing toolkit "$@"
  need_nvcc
  need "${compilers[@]}"
  local targets=(simgpu_cudart simgpu-device)
  [[ ! -d $root/simgpu/libraries ]] || targets+=(simgpu_libraries)
  build_or_die "${targets[@]}"
  make_toolkit
  echo "$build/toolkit"
}
