# add_simgpu_program(name x.cu [options of nvcc ...])
# Builds an ordinary CUDA program and links it with the simulated GPU.

function(add_simgpu_program name source)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE -fmad=false -lineinfo -no-compress
    --generate-code=arch=compute_80,code=compute_80 ${ARGN})
  link_cuda_program(${name} simgpu_cudart)
endfunction()
