# cmake -D NM=... -D LIBRARY=... -D HEADER=... -P test_runtime_symbols.cmake
# Fails when the library lacks a function that the toolkit's header declares, or one that nvcc's stubs call.

execute_process(COMMAND ${NM} --defined-only --extern-only ${LIBRARY} OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
file(READ ${HEADER} text)
string(REGEX REPLACE ";" " " text "${text}")
string(REGEX MATCHALL "extern [^=\n]*__host__[^(\n]*CUDARTAPI cuda[A-Za-z0-9_]+\\(" declarations "${text}")
list(LENGTH declarations count)
if(status OR count LESS 200)
  message(FATAL_ERROR "cannot compare: nm gave '${status}', ${HEADER} has ${count} declarations, expected at least 200")
endif()
list(TRANSFORM declarations REPLACE "^.*CUDARTAPI (cuda[A-Za-z0-9_]+)\\($" "\\1")
# The header may map a name to one with a version, or with --default-stream per-thread to one with _ptsz or _ptds.
foreach(pair "PTSZ _ptsz" "PTDS _ptds")
  separate_arguments(pair)
  list(GET pair 0 macro)
  list(GET pair 1 suffix)
  string(REGEX MATCHALL "__CUDART_API_${macro}\\(cuda[A-Za-z0-9_]+\\)" variants "${text}")
  list(TRANSFORM variants REPLACE "^.*\\((.*)\\)$" "\\1${suffix}")
  list(APPEND declarations ${variants})
endforeach()
string(REGEX MATCHALL "#define +cuda[A-Za-z0-9_]+ +(__CUDART_API_PTSZ\\()?cuda[A-Za-z0-9_]+_v[0-9]" versions "${text}")
foreach(version IN LISTS versions)
  string(REGEX REPLACE "^#define +(cuda[A-Za-z0-9_]+) .*" "\\1" name "${version}")
  list(REMOVE_ITEM declarations ${name} ${name}_ptsz)
  string(REGEX REPLACE ".*[ (]" "" name "${version}")
  list(APPEND declarations ${name})
endforeach()
list(REMOVE_DUPLICATES declarations)
foreach(name IN LISTS declarations ITEMS __cudaRegisterFatBinary __cudaRegisterFatBinaryEnd __cudaUnregisterFatBinary
    __cudaRegisterFunction __cudaRegisterVar __cudaRegisterManagedVar __cudaInitModule __cudaGetKernel
    __cudaPushCallConfiguration __cudaPopCallConfiguration __cudaLaunchKernel __cudaLaunchKernel_ptsz
    cudaLaunchKernel_ptsz cudaMemcpy_ptds cudaMemcpyAsync_ptsz cudaMemset_ptds cudaStreamSynchronize_ptsz
    cudaEventRecord_ptsz cudaProfilerStart cudaProfilerStop)
  if(NOT symbols MATCHES "[ \n]${name}\n")
    message(SEND_ERROR "simgpu_cudart lacks ${name}")
  endif()
endforeach()
# A program may have functions and variables of any name.
string(REGEX MATCHALL " [A-Z] [^\n]+" defined "${symbols}")
foreach(symbol IN LISTS defined)
  if(NOT symbol MATCHES " [A-Z] (cu[A-Z]|cuda[A-Z]|__cuda|_|simgpu_)")
    message(SEND_ERROR "simgpu_cudart defines${symbol}: programs may define that name: expected a name that begins with simgpu_")
  endif()
endforeach()
message(STATUS "${count} declarations compared")
