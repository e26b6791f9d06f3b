# add_lab(01_stencil stencil SOURCES device.c)
# Builds one object from labs/01_stencil/stencil.cu and one from solutions/01_stencil/stencil.cu, and a library of
# labs/01_stencil/main.c and the SOURCES beside it. Links each object with the library to two programs, stencil.gpu
# (CUDA runtime) and stencil.sim (simulated GPU), in <build>/labs/01_stencil and <build>/solutions/01_stencil. Target
# names: labs_01_stencil_sim and so on. labs_01_stencil_named is stencil.named, compiled with -G for breakpoints; ./kit
# lab builds it.

option(CHECKERBOARD_TEST_GPU "run the suites of the labs on the real GPU, too" ${SIMGPU_GPU_FOUND})

set(CHECKERBOARD_LABS ${CMAKE_SOURCE_DIR}/labs CACHE PATH
  "the folder of the students' .cu files: labs/ of this tree, or one with the same structure")

# Results are bit-identical on both devices, because the compiler may not fuse a multiplication and an addition.
# labs/CUDA.md promises the language.
# 1813: an if with nothing but a semicolon. -g1: lines of the host's code, grading/judged_programs/source_line.h.
set(CHECKERBOARD_LAB_OPTIONS -fmad=false -std=c++20 -diag-warn=1813
  -Xcompiler=-Wno-deprecated-enum-enum-conversion,-g1,-gdwarf-4)
set(CHECKERBOARD_LAB_FLAGS ${SIMGPU_CUDA_FLAGS} ${CHECKERBOARD_LAB_OPTIONS})

# lab_object(object x.cu contract [options of nvcc ...])
function(lab_object object source contract)
  add_cuda_object(${object} ${source} ${CHECKERBOARD_LAB_OPTIONS} ${ARGN})
  target_include_directories(${object} PRIVATE ${contract})
  target_link_libraries(${object} PRIVATE lab_frame)
  set(launcher ${CMAKE_SOURCE_DIR}/cmake/nvcc_with_lambdas ${CMAKE_CUDA_COMPILER_LAUNCHER})
  set_target_properties(${object} PROPERTIES CUDA_COMPILER_LAUNCHER "${launcher}")
endfunction()

function(add_named_lab lab program source contract)
  set(name labs_${lab}_named)
  lab_object(${name}_object ${source} ${contract} -G)
  add_executable(${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}_object>)
  set_target_properties(${name}_object PROPERTIES EXCLUDE_FROM_ALL ON)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${program}.named RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/labs/${lab})
  link_cuda_program(${name} simgpu_cudart ${lab}_main lab_frame)
endfunction()

function(add_lab lab program)
  cmake_parse_arguments(PARSE_ARGV 2 LAB "" "" "SOURCES")
  if(NOT CMAKE_CUDA_COMPILER OR NOT (CHECKERBOARD_TESTS OR EXISTS ${CMAKE_SOURCE_DIR}/labs/${lab})) # not published yet
    return()
  endif()
  set(contract ${CMAKE_SOURCE_DIR}/labs/${lab})
  list(TRANSFORM LAB_SOURCES PREPEND ${contract}/)
  add_library(${lab}_main STATIC ${contract}/main.c ${LAB_SOURCES})
  target_include_directories(${lab}_main SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(${lab}_main PRIVATE checkerboard_options lab_frame)

  foreach(tree labs solutions)
    set(source ${CMAKE_SOURCE_DIR}/solutions/${lab}/${program}.cu)
    if(tree STREQUAL labs)
      set(source ${CHECKERBOARD_LABS}/${lab}/${program}.cu)
    endif()
    if(NOT EXISTS ${source}) # a student's copy has no solutions
      continue()
    endif()
    set(object ${tree}_${lab}_object)
    lab_object(${object} ${source} ${contract})
    add_cuda_programs(${tree}_${lab} FILE ${tree}/${lab}/${program} OBJECTS ${lab}_main ${object}
      LIBRARIES lab_frame)
    if(tree STREQUAL labs AND TARGET simgpu_cudart)
      add_named_lab(${lab} ${program} ${source} ${contract})
    endif()
  endforeach()
endfunction()
