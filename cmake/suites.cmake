# add_suite(name SOURCES a.c ... [LIBRARIES x ...] [INCLUDES folder ...] [DEFINITIONS A=b ...] [ARGS ...])
# Adds a Check executable and the CTest test of the same name, which runs it with ARGS. Without Check
# (libcheck.github.io/check) it prints a line and adds no target, so list all properties of the target here.

# A student's copy has no tests of the kit.
set(CHECKERBOARD_TESTS OFF)
if(EXISTS ${CMAKE_SOURCE_DIR}/.ci)
  set(CHECKERBOARD_TESTS ON)
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(CHECK QUIET IMPORTED_TARGET check)
endif()

function(add_suite name)
  cmake_parse_arguments(PARSE_ARGV 1 SUITE "" "" "SOURCES;LIBRARIES;INCLUDES;DEFINITIONS;ARGS")
  if(NOT SUITE_SOURCES OR SUITE_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_suite(${name}): expected SOURCES, LIBRARIES, INCLUDES, DEFINITIONS or ARGS, got '${SUITE_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT CHECKERBOARD_TESTS)
    return()
  endif()
  if(NOT CHECK_FOUND)
    message(STATUS "Check not found: suite ${name} skipped")
    return()
  endif()
  add_executable(${name} ${SUITE_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/common/tests ${SUITE_INCLUDES})
  target_compile_definitions(${name} PRIVATE ${SUITE_DEFINITIONS})
  target_link_libraries(${name} PRIVATE checkerboard_options ${SUITE_LIBRARIES} PkgConfig::CHECK)
  add_test(NAME ${name} COMMAND ${name} ${SUITE_ARGS})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()
