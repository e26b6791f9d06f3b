# Objects of the simulated GPU that were built before. A release or a container image may have them in the folder prebuilt of
# the tree, or in the one that the environment's CHECKERBOARD_PREBUILT names. They take the place of their sources if these,
# CUDA's headers and the kind of processor are those that they were built from. The target prebuilt makes such a folder in
# the build folder.

# The key of these sources.
file(GLOB_RECURSE prebuilt_sources CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/simgpu/*.h ${CMAKE_SOURCE_DIR}/simgpu/*.c ${CMAKE_SOURCE_DIR}/simgpu/*.def)
list(FILTER prebuilt_sources EXCLUDE REGEX "/simgpu/(libraries|tests|validation)/")
set(prebuilt_key "${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_C_COMPILER_ID} ${CMAKE_BUILD_TYPE}")
set(headers ${CUDAToolkit_INCLUDE_DIRS})
list(TRANSFORM headers APPEND /cuda_runtime_api.h)
set(lists CMakeLists.txt simgpu/device/CMakeLists.txt simgpu/ptx/CMakeLists.txt simgpu/runtime/CMakeLists.txt)
list(TRANSFORM lists PREPEND ${CMAKE_SOURCE_DIR}/)
foreach(file ${prebuilt_sources} ${lists} ${headers})
  if(EXISTS ${file})
    file(SHA256 ${file} sum)
    string(APPEND prebuilt_key ${sum})
  endif()
endforeach()
string(SHA256 prebuilt_key "${prebuilt_key}")

include(${CMAKE_CURRENT_LIST_DIR}/prebuilt_sum.cmake)

# Sets PREBUILT to the folder, or to nothing.
set(PREBUILT "$ENV{CHECKERBOARD_PREBUILT}")
if(NOT PREBUILT)
  set(PREBUILT ${CMAKE_SOURCE_DIR}/prebuilt)
endif()
if(NOT EXISTS ${PREBUILT}/key OR CHECKERBOARD_SANITIZE OR CHECKERBOARD_FUZZ)
  set(PREBUILT "")
else()
  file(STRINGS ${PREBUILT}/key lines)
  prebuilt_sum(${PREBUILT} sum)
  if(NOT prebuilt_key IN_LIST lines)
    message(STATUS "${PREBUILT}: built from other sources or for another kind of machine; the simulated GPU is compiled")
    set(PREBUILT "")
  elseif(NOT sum IN_LIST lines)
    message(STATUS "${PREBUILT}: damaged; the simulated GPU is compiled")
    set(PREBUILT "")
  else()
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${prebuilt_sources} ${PREBUILT}/key)
  endif()
endif()

# use_prebuilt(target [PARTS part ...] [LOCAL a.c ...]): takes the target's objects, and those of the object libraries PARTS,
# from PREBUILT, except for the sources LOCAL, which hold paths of this machine.
function(use_prebuilt target)
  cmake_parse_arguments(PARSE_ARGV 1 USE "" "" "PARTS;LOCAL")
  if(PREBUILT)
    file(GLOB objects ${PREBUILT}/${target}/*.o)
    set_target_properties(${target} PROPERTIES SOURCES "${USE_LOCAL};${objects}" LINKER_LANGUAGE C)
    return()
  endif()
  set(contents ${target})
  foreach(part ${target} ${USE_PARTS})
    list(APPEND contents $<TARGET_OBJECTS:${part}>)
  endforeach()
  foreach(source ${USE_LOCAL})
    list(APPEND contents -${source})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY prebuilt_contents ${contents})
  set_property(GLOBAL APPEND PROPERTY prebuilt_targets ${target})
endfunction()

# The target that makes the folder.
function(add_prebuilt_target)
  get_property(contents GLOBAL PROPERTY prebuilt_contents)
  get_property(targets GLOBAL PROPERTY prebuilt_targets)
  if(contents AND CHECKERBOARD_ALL_PROCESSORS)
    add_custom_target(prebuilt COMMAND_EXPAND_LISTS VERBATIM COMMAND ${CMAKE_COMMAND} -D FOLDER=${CMAKE_BINARY_DIR}/prebuilt
      -D KEY=${prebuilt_key} -P ${CMAKE_SOURCE_DIR}/cmake/make_prebuilt.cmake ${contents})
    add_dependencies(prebuilt ${targets})
  endif()
endfunction()
