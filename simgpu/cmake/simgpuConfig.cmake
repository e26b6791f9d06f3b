# find_package(simgpu): the targets simgpu_cudart and simgpu-device, the headers' folder simgpu_INCLUDE_DIR, and the
# functions of cuda.cmake for programs that run on both devices.
cmake_path(SET simgpu_prefix NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../..)
set(simgpu_INCLUDE_DIR ${simgpu_prefix}/include/simgpu)
find_package(Threads REQUIRED)
add_executable(simgpu-device IMPORTED)
set_target_properties(simgpu-device PROPERTIES IMPORTED_LOCATION ${simgpu_prefix}/bin/simgpu-device)
add_library(simgpu_cudart STATIC IMPORTED)
set_target_properties(simgpu_cudart PROPERTIES INTERFACE_LINK_LIBRARIES Threads::Threads
  IMPORTED_LOCATION ${CMAKE_CURRENT_LIST_DIR}/../../libsimgpu_cudart.a)
include(${CMAKE_CURRENT_LIST_DIR}/cuda.cmake)
