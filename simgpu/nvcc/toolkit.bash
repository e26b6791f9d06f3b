#!/usr/bin/env bash
# Makes a folder that looks like a CUDA Toolkit to CMake, make and g++: toolkit.bash FOLDER NVCC ARCHIVES [COMMAND
# [ARGUMENT...]] Its nvcc is driver.bash, which runs NVIDIA's NVCC. Its libraries are those of the simulated GPU:
# libsimgpu_cudart.a and others of the folder ARCHIVES. With a COMMAND, which makes all of them, the folder offers
# libraries that are not there yet, if their sources are here.
set -euo pipefail

folder=$1 nvcc=$2 archives=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
lib=$folder/lib64

# Linker scripts stand for a shared library and a static one, so that -lNAME finds them, and so does CMake. Programs of
# the runtime may ask it for functions of the driver API.
stand_in() { # stand_in NAME ARCHIVE...
  local files=("${@:2}" cudart)
  [[ ! -f $archives/libsimgpu_cuda.a || " $* " == *' cuda '* ]] || files+=(cuda)
  files=("${files[@]/#/$archives/libsimgpu_}")
  echo "GROUP( ${files[*]/%/.a} -lpthread -ldl -lm )" | tee "$lib/lib$1.so" >"$lib/lib$1_static.a"
}

# The same for a library whose header is there.
offer() { # offer HEADER NAME ARCHIVE...
  [[ -f $include/$1 ]] || return 0
  [[ -x $folder/make_libraries || -f $archives/libsimgpu_$3.a ]] || return 0
  stand_in "${@:2}"
}

said=$("$nvcc" --dryrun -x cu /dev/null 2>&1) || true
bin=$(sed -n 's/^#\$ _HERE_=//p' <<<"$said") top=$(sed -n 's/^#\$ TOP=//p' <<<"$said")
[[ -x $bin/nvcc && -d $top ]] || { echo "toolkit: $nvcc does not say where its toolkit is: expected NVIDIA's nvcc" >&2 && exit 2; }
top=$(realpath "$top")
target=$(sed -n 's/^#\$ _TARGET_DIR_=//p' <<<"$said" | tail -n 1) # targets/x86_64-linux, or targets/sbsa-linux on arm64
target=${target:-targets/$(uname -m)-linux}                      # NVIDIA's wheels have no such folder

rm -rf "$folder"
include=$folder/$target/include
mkdir -p "$folder/bin" "$lib/stubs" "$include"
if (($#)) && [[ -d $here/../libraries ]]; then
  printf '#!/usr/bin/env bash\nexec %s >/dev/null\n' "${*@Q}" >"$folder/make_libraries"
  chmod +x "$folder/make_libraries"
fi
headers=$top/$target/include
[[ -f $headers/cuda_runtime.h ]] || headers=$top/include
for file in "$top"/* "$bin"/*; do
  name=${file##*/}
  case $file in
    "$top/bin" | "$top/include" | "$top/lib" | "$top/lib64" | "$top/targets" | */nvcc) ;;
    "$bin"/*) ln -sfn "$file" "$folder/bin/$name" ;;
    *) ln -sfn "$file" "$folder/$name" ;;
  esac
done
ln -sfn "$bin/nvcc" "$folder/bin/nvcc.nvidia" # nvcc takes the folder of this link for that of its toolkit
ln -sfn "$headers"/* "$include"
own=$here/../libraries/nccl/nccl.h # NCCL is no part of the CUDA Toolkit
[[ ! -f $own ]] || ln -sfn "$(realpath "$own")" "$include/nccl.h"
ln -sfn "$target/include" "$folder/include"
ln -sfn ../../lib64 "$folder/$target/lib"
ln -sfn lib64 "$folder/lib"
ln -sfn "$archives" "$folder/archives"
stand_in cudart
offer cuda.h cuda cuda
sparse=()
[[ ! -f $include/cusparse.h ]] || sparse=(cusparse)
offer cublas_v2.h cublas cublas
offer cublasLt.h cublasLt cublas
offer cufft.h cufft cufft
offer curand_kernel.h curand curand
offer cusparse.h cusparse cusparse
offer cusolverDn.h cusolver cusolver cublas "${sparse[@]}"
offer cusolverMg.h cusolverMg cusolver cublas "${sparse[@]}"
offer nccl.h nccl nccl
offer nvrtc.h nvrtc nvrtc
offer nvJitLink.h nvJitLink nvjitlink
ln -sfn ../libcuda.so "$lib/stubs/libcuda.so"
for file in "$top/$target/lib/libcudadevrt.a" "$top"/lib*/libcudadevrt.a; do
  [[ ! -f $file ]] || ln -sfn "$file" "$lib/libcudadevrt.a"
done
printf '!<arch>\n' >"$lib/libculibos.a" # an empty archive: NVIDIA's static libraries need it, these do not
"$nvcc" --list-gpu-arch 2>/dev/null | sed -n 's/^compute_\([0-9]*\)$/\1/p' | sort -n | head -n 1 >"$folder/oldest"
printf '#!/usr/bin/env bash\nexec %q %q "$@"\n' "$here/driver.bash" "$folder" >"$folder/bin/nvcc"
chmod +x "$folder/bin/nvcc"
