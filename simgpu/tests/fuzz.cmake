# Hostile input: fuzz_TARGET_corpus replays tests/corpus/TARGET with any compiler. With clang and -D SIMGPU_FUZZ=ON
# (and SIMGPU_SANITIZE=ON), fuzz_TARGET looks for more:
#   fuzz_ptx -close_fd_mask=2 -timeout=5 FOUND_FOLDER simgpu/tests/corpus/ptx

option(SIMGPU_FUZZ "build the fuzzers of the simulated GPU; needs clang" OFF)

function(add_fuzzer target)
  cmake_parse_arguments(PARSE_ARGV 1 FUZZ "" "" "SOURCES;INCLUDES;LIBRARIES")
  set(corpus ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/corpus/${target})
  add_executable(fuzz_${target}_corpus ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fuzz_${target}.c
    ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fuzz_replay.c ${FUZZ_SOURCES})
  set(programs fuzz_${target}_corpus)
  simgpu_test(fuzz_${target}_corpus COMMAND fuzz_${target}_corpus ${corpus})
  if(SIMGPU_FUZZ)
    add_executable(fuzz_${target} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fuzz_${target}.c ${FUZZ_SOURCES})
    target_compile_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
    list(APPEND programs fuzz_${target})
  endif()
  foreach(program IN LISTS programs)
    target_include_directories(${program} PRIVATE ${FUZZ_INCLUDES})
    target_link_libraries(${program} PRIVATE simgpu_options ${FUZZ_LIBRARIES})
  endforeach()
endfunction()

if(SIMGPU_FUZZ)
  foreach(library simgpu_ptx simgpu_machine simgpu_warp_base simgpu_warp_observed_base)
    target_compile_options(${library} PRIVATE -O1 -fsanitize=fuzzer-no-link)
    if(library MATCHES warp) # clang compiles these for half an hour with it; gcc's sanitizers replay the corpus
      target_compile_options(${library} PRIVATE -fno-sanitize=undefined)
    endif()
  endforeach()
endif()

set(runtime ${CMAKE_CURRENT_LIST_DIR}/../runtime)
add_fuzzer(ptx LIBRARIES simgpu_machine)
add_fuzzer(protocol LIBRARIES simgpu_machine)
add_fuzzer(fatbin SOURCES ${runtime}/fatbin.c INCLUDES ${runtime})

simgpu_suite(test_fuzz_limits SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_fuzz_limits.c LIBRARIES simgpu_machine)
if(NOT TARGET simgpu_cudart)
  return()
endif()
simgpu_suite(test_fuzz_memory_limit SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_fuzz_memory_limit.c LIBRARIES simgpu_cudart
  ARGS $<TARGET_FILE:simgpu-device>)
if(TARGET test_fuzz_memory_limit)
  target_include_directories(test_fuzz_memory_limit SYSTEM PRIVATE ${CUDA_RUNTIME_HEADERS})
  add_dependencies(test_fuzz_memory_limit simgpu-device)
endif()
