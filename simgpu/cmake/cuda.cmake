# Finds nvcc, and builds CUDA programs for both devices: one object, linked once with the CUDA runtime and once with
# the simulated GPU.

include_guard()

# With ccache for C, nvcc gets it, too. CUDA objects name their sources, so paths stay absolute and count. nvcc -E skips
# the code for the host alone, so ccache compares sources instead: CCACHE_DEPEND.
if(CMAKE_C_COMPILER_LAUNCHER MATCHES "ccache$" AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env --unset=CCACHE_BASEDIR --unset=CCACHE_NOHASHDIR
    CCACHE_DEPEND=1 ${CMAKE_C_COMPILER_LAUNCHER})
endif()

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_ARCHITECTURES OFF) # the functions below name them
  set(CMAKE_CUDA_COMPILER_FORCED ON) # CMake still identifies nvcc, but compiles no second program to try it
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
else()
  message(STATUS "nvcc not found: CUDA programs skipped")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/device_code.cmake)
device_code_here("${CMAKE_CUDA_COMPILER}")
if(CMAKE_CUDA_COMPILER)
  foreach(note ${SIMGPU_GPU_NOTES})
    message(STATUS "${note}")
  endforeach()
endif()

# Options of nvcc for every program that the simulated GPU may run.
set(SIMGPU_CUDA_FLAGS -lineinfo -no-compress)

# cuda_line_flags(flags [options of nvcc ...]): SIMGPU_CUDA_FLAGS and the options. -G, which names variables for
# SIMGPU_BREAK, has the lines, too.
function(cuda_line_flags flags)
  set(all ${SIMGPU_CUDA_FLAGS})
  if("-G" IN_LIST ARGN)
    list(REMOVE_ITEM all -lineinfo)
  endif()
  set(${flags} ${all} ${ARGN} PARENT_SCOPE)
endfunction()

# add_cuda_object(object x.cu [options of nvcc ...])
function(add_cuda_object object source)
  cuda_line_flags(flags ${ARGN})
  add_library(${object} OBJECT ${source})
  target_compile_options(${object} PRIVATE ${flags} ${SIMGPU_CUDA_CODE})
endfunction()

# link_cuda_program(target runtime [library ...]): nvcc's host objects are C++. Without relocatable device code, the
# program needs no device link.
function(link_cuda_program target runtime)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C CUDA_RUNTIME_LIBRARY None)
  target_link_libraries(${target} PRIVATE ${ARGN} ${runtime} stdc++ m)
  if(runtime STREQUAL simgpu_cudart AND TARGET simgpu-device)
    add_dependencies(${target} simgpu-device)
  endif()
endfunction()

# add_cuda_programs(name FILE path/x OBJECTS a ... [LIBRARIES y ...])
# Targets name_gpu and name_sim: path/x.gpu and path/x.sim in the build tree.
function(add_cuda_programs name)
  cmake_parse_arguments(PARSE_ARGV 1 CUDA "" "FILE" "OBJECTS;LIBRARIES")
  cmake_path(GET CUDA_FILE PARENT_PATH folder)
  cmake_path(GET CUDA_FILE FILENAME file)
  list(TRANSFORM CUDA_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  foreach(program gpu:CUDA::cudart_static sim:simgpu_cudart)
    string(REGEX MATCH "^([a-z]+):(.+)" program ${program})
    set(device ${CMAKE_MATCH_1})
    set(runtime ${CMAKE_MATCH_2})
    if(NOT TARGET ${runtime})
      continue()
    endif()
    add_executable(${name}_${device} ${CUDA_OBJECTS})
    set_target_properties(${name}_${device} PROPERTIES
      OUTPUT_NAME ${file}.${device} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
    link_cuda_program(${name}_${device} ${runtime} ${CUDA_LIBRARIES})
  endforeach()
endfunction()
