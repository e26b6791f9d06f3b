# kit_test(name COMMAND x [ARGUMENT ...] [SECONDS n] [QUICK yes|no] [WING w] [TARGETS t ...])
# Adds a test to ctest. The same rules hold for all of them:
#   - SECONDS is the CPU time that it takes, its compilations by nvcc included (default 5). It ends by CPU time and not
#     by the clock: at ten times SECONDS, but not below 300, or when none of its processes ran for 300 s
#     (commands/tests/limited.c).
#   - Exit status 77 is a skip; the line "skipped: REASON" says why.
#   - Its labels are its wing, which is 01 to 08, common, simgpu, grading or commands (default: the folder at the top
#     of the tree), and quick if ./kit test runs it. By default it does so up to 5 s.
#   - <build>/tests.tsv says what ./kit test must build for it: the targets that its command names, and TARGETS.
# kit_skip(name "reason") adds a test that is skipped, in the place of one or more that this machine cannot build.
#
# add_suite(name SOURCES a.c ... [LIBRARIES x ...] [INCLUDES folder ...] [DEFINITIONS A=b ...] [ARGS ...] [SECONDS n]
# [TARGETS t ...]) Adds a Check executable and the test of the same name, which runs it with ARGS. Without Check
# (libcheck.github.io/check) there is no target, so list all properties of the target here.

option(CHECKERBOARD_TESTS "configure the tests of the kit, which takes some seconds" ON)
if(NOT EXISTS ${CMAKE_SOURCE_DIR}/.ci) # a student's copy has none
  set(CHECKERBOARD_TESTS OFF)
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(CHECK QUIET IMPORTED_TARGET check)
endif()

function(kit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "SECONDS;QUICK;WING" "COMMAND;TARGETS")
  if(NOT TEST_COMMAND OR TEST_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "kit_test(${name}): expected COMMAND, SECONDS, QUICK, WING or TARGETS, got '${TEST_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT CHECKERBOARD_TESTS)
    return()
  endif()
  list(GET TEST_COMMAND 0 program)
  if(TARGET ${program}) # add_test() does this for its first word only. No list command here: arguments may contain ;
    string(LENGTH ${program} length)
    string(SUBSTRING "${TEST_COMMAND}" ${length} -1 rest)
    set(TEST_COMMAND "$<TARGET_FILE:${program}>${rest}")
  endif()
  string(REGEX MATCHALL "<TARGET_FILE:[^>]+" named "${TEST_COMMAND}")
  list(TRANSFORM named REPLACE "<TARGET_FILE:" "")
  set(targets limited ${named} ${TEST_TARGETS})
  list(REMOVE_DUPLICATES targets)
  if(NOT DEFINED TEST_SECONDS)
    set(TEST_SECONDS 5)
  endif()
  if(NOT DEFINED TEST_QUICK)
    set(TEST_QUICK no)
    if(TEST_SECONDS LESS_EQUAL 5)
      set(TEST_QUICK yes)
    endif()
  endif()
  if(NOT TEST_WING)
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE TEST_WING)
    string(REGEX REPLACE "/.*" "" TEST_WING ${TEST_WING})
  endif()
  set(labels ${TEST_WING})
  if(TEST_QUICK)
    list(APPEND labels quick)
  endif()
  math(EXPR cpu "10 * ${TEST_SECONDS}")
  if(cpu LESS 300)
    set(cpu 300)
  endif()
  add_test(NAME ${name} COMMAND limited ${CMAKE_BINARY_DIR}/tests.csv ${name} ${cpu} 300 ${TEST_COMMAND})
  # Limits of Check are of wall time.
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" COST ${TEST_SECONDS} TIMEOUT 100000 SKIP_RETURN_CODE 77
    ENVIRONMENT_MODIFICATION CK_TIMEOUT_MULTIPLIER=set:20)
  list(JOIN targets " " targets)
  set_property(GLOBAL APPEND PROPERTY CHECKERBOARD_TEST_ROWS "${name}\t${TEST_WING}\t${TEST_QUICK}\t${TEST_SECONDS}\t${targets}\n")
endfunction()

function(kit_skip name reason)
  kit_test(${name} SECONDS 1 COMMAND sh -c "echo \"skipped: $0\"; exit 77" ${reason})
endfunction()

# Called once, after all tests.
function(write_test_rows)
  if(NOT CHECKERBOARD_TESTS)
    return()
  endif()
  get_property(rows GLOBAL PROPERTY CHECKERBOARD_TEST_ROWS)
  string(REPLACE "\n;" "\n" rows "${rows}")
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/tests.tsv CONTENT "${rows}")
endfunction()

function(add_suite name)
  cmake_parse_arguments(PARSE_ARGV 1 SUITE "" "SECONDS" "SOURCES;LIBRARIES;INCLUDES;DEFINITIONS;ARGS;TARGETS")
  if(NOT SUITE_SOURCES OR SUITE_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_suite(${name}): expected SOURCES, LIBRARIES, INCLUDES, DEFINITIONS, ARGS, SECONDS or TARGETS, got '${SUITE_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT CHECKERBOARD_TESTS)
    return()
  endif()
  if(NOT CHECK_FOUND)
    message(STATUS "Check not found: suite ${name} skipped")
    kit_skip(${name} "Check not found")
    return()
  endif()
  add_executable(${name} ${SUITE_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/common/tests ${CMAKE_SOURCE_DIR}/simgpu/testing ${SUITE_INCLUDES})
  target_compile_definitions(${name} PRIVATE ${SUITE_DEFINITIONS})
  target_link_libraries(${name} PRIVATE checkerboard_options ${SUITE_LIBRARIES} PkgConfig::CHECK)
  set(seconds "")
  if(DEFINED SUITE_SECONDS)
    set(seconds SECONDS ${SUITE_SECONDS})
  endif()
  kit_test(${name} ${seconds} TARGETS ${SUITE_TARGETS} COMMAND ${name} ${SUITE_ARGS})
endfunction()
