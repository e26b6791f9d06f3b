# own_names.cmake, a script: -D NM=… -D OBJCOPY=… -D LIBRARY=x.a [-D BESIDE=y.a]. Renames what the library defines
# beside CUDA's functions: name becomes simgpu_name. So a program may have functions and variables of any name, as
# with NVIDIA's library.
execute_process(COMMAND ${NM} -g --defined-only --format=posix ${LIBRARY}
  OUTPUT_VARIABLE symbols ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+ [A-Z] " symbols "${symbols}")
set(names "")
foreach(symbol IN LISTS symbols)
  string(REGEX REPLACE " .*" "" name "${symbol}")
  if(NOT name MATCHES "^(cu[A-Z]|cuda[A-Z]|__cuda|_)" AND NOT name MATCHES "^simgpu_")
    string(APPEND names "${name} simgpu_${name}\n")
  endif()
endforeach()
if(BESIDE) # whose functions the library calls, and which has its names already
  execute_process(COMMAND ${NM} -g --defined-only --format=posix ${BESIDE}
    OUTPUT_VARIABLE symbols ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\nsimgpu_[^\n]+ [A-Z] " symbols "${symbols}")
  list(TRANSFORM symbols REPLACE "\nsimgpu_([^ ]+) .*" "\\1 simgpu_\\1\n")
  string(APPEND names ${symbols})
endif()
file(WRITE ${LIBRARY}.names "${names}")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${LIBRARY}.names ${LIBRARY} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${LIBRARY}.names)
