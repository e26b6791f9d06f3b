# add_simgpu_program(name x.cu [options of nvcc ...])
# An ordinary CUDA program, linked with the simulated GPU.

function(add_simgpu_program name source)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE -fmad=false -lineinfo -no-compress
    --generate-code=arch=compute_80,code=compute_80 ${ARGN})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C CUDA_RUNTIME_LIBRARY None)
  target_link_libraries(${name} PRIVATE simgpu_cudart stdc++ m)
  add_dependencies(${name} simgpu-device)
endfunction()
