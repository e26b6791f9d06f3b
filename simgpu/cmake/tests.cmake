# simgpu_test(name COMMAND x [ARGUMENT ...] [SECONDS n] [QUICK yes|no] [TARGETS t ...])
# Adds a test to ctest. SECONDS is the CPU time that it takes (default 5). Tests up to 5 s have the label quick.
#
# simgpu_skip(name "reason") adds a test that is skipped, in the place of one that this machine cannot build.
#
# simgpu_suite(name SOURCES a.c ... [LIBRARIES x ...] [INCLUDES folder ...] [ARGS ...] [SECONDS n] [TARGETS t ...])
# Adds a Check executable (libcheck.github.io/check) and the test of the same name, which runs it with ARGS.
#
# In the kit of the labs these are the kit's own functions, which limit and list its tests.

include(${CMAKE_CURRENT_LIST_DIR}/programs.cmake)
if(COMMAND kit_test)
  function(simgpu_test)
    kit_test(${ARGV})
  endfunction()
  function(simgpu_skip)
    kit_skip(${ARGV})
  endfunction()
  function(simgpu_suite)
    add_suite(${ARGV})
  endfunction()
  return()
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(CHECK QUIET IMPORTED_TARGET check)
endif()

function(simgpu_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "SECONDS;QUICK" "COMMAND;TARGETS")
  add_test(NAME ${name} COMMAND ${TEST_COMMAND})
  if(TEST_QUICK OR NOT TEST_SECONDS GREATER 5)
    set_tests_properties(${name} PROPERTIES LABELS quick)
  endif()
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

function(simgpu_skip name reason)
  simgpu_test(${name} COMMAND sh -c "echo \"skipped: $0\"; exit 77" ${reason})
endfunction()

function(simgpu_suite name)
  cmake_parse_arguments(PARSE_ARGV 1 SUITE "" "SECONDS" "SOURCES;LIBRARIES;INCLUDES;ARGS;TARGETS")
  if(NOT CHECK_FOUND)
    simgpu_skip(${name} "Check not found")
    return()
  endif()
  add_executable(${name} ${SUITE_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/testing ${SUITE_INCLUDES})
  target_link_libraries(${name} PRIVATE simgpu_options ${SUITE_LIBRARIES} PkgConfig::CHECK)
  simgpu_test(${name} COMMAND ${name} ${SUITE_ARGS} SECONDS ${SUITE_SECONDS}) # SECONDS may have no value
endfunction()
