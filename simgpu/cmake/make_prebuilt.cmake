# make_prebuilt.cmake, a script: -D FOLDER=… -D KEY=… -P this TARGET a.o … -b.c …: copies the objects of each target to
# FOLDER/TARGET, without that of b.c, and writes FOLDER/key.
include(${CMAKE_CURRENT_LIST_DIR}/prebuilt_sum.cmake)

file(REMOVE_RECURSE ${FOLDER})
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(k RANGE ${last})
  set(argument ${CMAKE_ARGV${k}})
  if(argument MATCHES "^simgpu_[a-z]+$")
    set(target ${argument})
  elseif(argument MATCHES "[.]o$")
    cmake_path(GET argument FILENAME name)
    file(MAKE_DIRECTORY ${FOLDER}/${target})
    file(COPY_FILE ${argument} ${FOLDER}/${target}/${k}_${name}) # with a number: two sources may have one name
  elseif(argument MATCHES "^-(.*[.]c)$")
    file(GLOB local ${FOLDER}/${target}/*_${CMAKE_MATCH_1}.o)
    file(REMOVE ${local})
  endif()
endforeach()
prebuilt_sum(${FOLDER} sum)
file(WRITE ${FOLDER}/key "${KEY}\n${sum}\n")
message("wrote ${FOLDER}")
