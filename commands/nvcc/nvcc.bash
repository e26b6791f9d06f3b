# Sourced by ./kit: nvcc and toolkit. The simulated GPU makes the folder build/sim/toolkit, which looks like
# a CUDA Toolkit.
#
# toolkit: The simulated GPU's runtime and libraries (not in a student's copy) take the places of NVIDIA's in it. Use:
# toolkit:   cmake -DCMAKE_CUDA_COMPILER=$(./kit toolkit)/bin/nvcc ...
# toolkit:   make NVCC=$(./kit toolkit)/bin/nvcc CUDA_HOME=$(./kit toolkit)
# shellcheck shell=bash disable=SC2154 # root, build, compilers: set by ./kit and its parts

# Makes build/sim/toolkit, unless it is there and belongs to the same nvcc and folder.
make_toolkit() {
  local nvcc stamp=$build/toolkit/made
  nvcc=$(find_nvcc)
  [[ -f $stamp && $(<"$stamp") == "$nvcc $root $build" && ! $root/simgpu/nvcc/toolkit.bash -nt $stamp ]] && return
  (
    flock 9
    "$root/simgpu/nvcc/toolkit.bash" "$build/toolkit" "$nvcc" "$build/lib" "$root/kit" toolkit
    echo "$nvcc $root $build" >"$stamp"
  ) 9>"$build/kit.lock" || exit
}

command_nvcc() {
  [[ $# -gt 0 ]] || die "nvcc: expected source files and options, as in ./kit nvcc prog.cu -o prog"
  need_nvcc
  need "${compilers[@]}"
  build_or_die simgpu_nvcc
  make_toolkit
  exec "$build/toolkit/bin/nvcc" "$@"
}

command_toolkit() {
  takes_nothing toolkit "$@"
  need_nvcc
  need "${compilers[@]}"
  build_or_die simgpu_nvcc simgpu_libraries
  make_toolkit
  echo "$build/toolkit"
}
