# add_lab(01_stencil stencil)
# From labs/01_stencil/stencil.cu and solutions/01_stencil/stencil.cu one object each; from each object and the one
# labs/01_stencil/main.c two programs, stencil.gpu (CUDA runtime) and stencil.sim (simulated GPU), in
# <build>/labs/01_stencil and <build>/solutions/01_stencil. Target names: labs_01_stencil_sim and so on.

# The machine code of the present GPU, if any, is made from the very PTX that the simulated GPU runs.
set(CHECKERBOARD_CUDA_CODE compute_80)
set(gpu_found OFF)
find_program(NVIDIA_SMI nvidia-smi)
if(NVIDIA_SMI)
  execute_process(COMMAND ${NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE capability ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(capability MATCHES "^([0-9]+)\\.([0-9]+)")
    string(APPEND CHECKERBOARD_CUDA_CODE ",sm_${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
    set(gpu_found ON)
  endif()
endif()
option(CHECKERBOARD_TEST_GPU "run the suites of the labs on the real GPU too" ${gpu_found})

function(add_lab lab program)
  if(NOT CMAKE_CUDA_COMPILER)
    return()
  endif()
  set(contract ${CMAKE_SOURCE_DIR}/labs/${lab})
  add_library(${lab}_main OBJECT ${contract}/main.c)
  target_include_directories(${lab}_main SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(${lab}_main PRIVATE checkerboard_options poisson support)

  foreach(tree labs solutions)
    set(object ${tree}_${lab}_object)
    add_library(${object} OBJECT ${CMAKE_SOURCE_DIR}/${tree}/${lab}/${program}.cu)
    target_include_directories(${object} PRIVATE ${contract})
    target_link_libraries(${object} PRIVATE poisson support)
    target_compile_options(${object} PRIVATE -fmad=false -lineinfo -no-compress
      "--generate-code=arch=compute_80,code=[${CHECKERBOARD_CUDA_CODE}]")
    add_lab_program(gpu CUDA::cudart_static)
    if(TARGET simgpu_cudart)
      add_lab_program(sim simgpu_cudart)
    endif()
  endforeach()
endfunction()

# One of the four programs; reads lab, program, tree and object of the caller.
function(add_lab_program device runtime)
  set(target ${tree}_${lab}_${device})
  add_executable(${target} $<TARGET_OBJECTS:${lab}_main> $<TARGET_OBJECTS:${object}>)
  # nvcc's host objects are C++; no device link is needed without relocatable device code.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C CUDA_RUNTIME_LIBRARY None
    OUTPUT_NAME ${program}.${device} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${tree}/${lab})
  target_link_libraries(${target} PRIVATE poisson support ${runtime} stdc++ m)
  if(device STREQUAL sim AND TARGET simgpu-device)
    add_dependencies(${target} simgpu-device)
  endif()
endfunction()
