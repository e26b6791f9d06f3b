# Chooses the machine code for this machine's GPUs. The simulated GPU runs the PTX embedded beside it.

set(SIMGPU_OLDEST_GPU 7.5) # the oldest compute capability of CUDA 13

# device_code(CAPABILITIES 7.5 9.0 ... KNOWN sm_75 sm_80 ...)
# For GPUs of these compute capabilities, and an nvcc that generates the machine code KNOWN, sets
#   SIMGPU_CUDA_CODE   options of nvcc: first the PTX and the machine code made from it, then machine code for
#                            GPUs older than the PTX
#   SIMGPU_GPU_NOTES   a line for each kind of GPU without machine code
#   SIMGPU_GPU_FOUND   ON if one of the GPUs runs the programs
function(device_code)
  cmake_parse_arguments(PARSE_ARGV 0 CODE "" "" "CAPABILITIES;KNOWN")
  set(newer compute_80)
  set(older "")
  set(notes "")
  set(too_old "")
  set(found OFF)
  list(REMOVE_DUPLICATES CODE_CAPABILITIES)
  foreach(capability ${CODE_CAPABILITIES})
    string(REPLACE "." "" number ${capability})
    if(capability VERSION_LESS SIMGPU_OLDEST_GPU)
      list(APPEND too_old ${capability})
      continue()
    endif()
    set(found ON)
    if(NOT sm_${number} IN_LIST CODE_KNOWN)
      list(APPEND notes "GPU of compute capability ${capability}: newer than nvcc, so its driver compiles the kernels")
    elseif(capability VERSION_LESS 8.0)
      list(APPEND older --generate-code=arch=compute_75,code=sm_${number})
    else()
      string(APPEND newer ,sm_${number})
    endif()
  endforeach()
  foreach(capability ${too_old})
    set(note "GPU of compute capability ${capability}: too old, CUDA 13 needs ${SIMGPU_OLDEST_GPU}")
    if(NOT found)
      string(APPEND note "; programs run on the simulated GPU")
    endif()
    list(APPEND notes ${note})
  endforeach()
  set(SIMGPU_CUDA_CODE --generate-code=arch=compute_80,code=[${newer}] ${older} PARENT_SCOPE)
  set(SIMGPU_GPU_NOTES "${notes}" PARENT_SCOPE)
  set(SIMGPU_GPU_FOUND ${found} PARENT_SCOPE)
endfunction()

# lines_of(variable REGEX COMMAND...): sets the lines that match the whole expression, or none if the command fails.
function(lines_of variable regex)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE lines ERROR_QUIET RESULT_VARIABLE status)
  string(REGEX REPLACE "[\r\n]+" ";" lines "${lines}")
  list(FILTER lines INCLUDE REGEX "^${regex}$")
  if(NOT status STREQUAL 0)
    set(lines "")
  endif()
  set(${variable} "${lines}" PARENT_SCOPE)
endfunction()

# Calls device_code for the GPUs that nvidia-smi lists on this machine and for the given nvcc.
function(device_code_here nvcc)
  find_program(NVIDIA_SMI nvidia-smi)
  lines_of(capabilities "[0-9]+[.][0-9]" ${NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader)
  lines_of(known "sm_[0-9]+" ${nvcc} --list-gpu-code)
  device_code(CAPABILITIES ${capabilities} KNOWN ${known})
  foreach(name CUDA_CODE GPU_NOTES GPU_FOUND)
    set(SIMGPU_${name} "${SIMGPU_${name}}" PARENT_SCOPE)
  endforeach()
endfunction()
