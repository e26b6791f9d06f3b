# cmake -D NM=... -D LIBRARY=... -D HEADER=... -P runtime_symbols.cmake
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
message(STATUS "${count} declarations compared")
