# add_simgpu_program(name x.cu [options of nvcc ...])
# Builds an ordinary CUDA program and links it with the simulated GPU. add_simgpu_program_90 does so for compute
# capability 9.0, in C++17.

function(add_simgpu_program name source)
  if(NOT simgpu_program_ptx) # functions are known in all folders, variables are not
    set(simgpu_program_ptx 80)
  endif()
  cuda_line_flags(flags ${ARGN})
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE -fmad=false ${flags}
    --generate-code=arch=compute_${simgpu_program_ptx},code=compute_${simgpu_program_ptx})
  link_cuda_program(${name} simgpu_cudart)
endfunction()
function(add_simgpu_program_90 name source)
  set(simgpu_program_ptx 90)
  add_simgpu_program(${name} ${source} ${ARGN})
  set_target_properties(${name} PROPERTIES CUDA_STANDARD 17)
endfunction()
