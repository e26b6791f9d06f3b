# What the project installs. Paths are absolute, so that an installation works where it is, and not elsewhere.
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR}/simgpu)
install(TARGETS simgpu-device RUNTIME)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/simgpu)
install(FILES README.md DESTINATION ${share})
install(DIRECTORY docs DESTINATION ${share})
if(EXISTS ${PROJECT_SOURCE_DIR}/libraries)
  install(FILES libraries/nccl/nccl.h DESTINATION ${share}/libraries/nccl)
endif()
install(PROGRAMS nvcc/driver.bash nvcc/toolkit.bash DESTINATION ${share}/nvcc)
install(FILES cmake/cuda.cmake cmake/device_code.cmake cmake/simgpuConfig.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/simgpu)
if(NOT TARGET simgpu_cudart)
  return()
endif()

# The client library starts the installed device. Other libraries are installed if they were built.
get_property(libraries GLOBAL PROPERTY simgpu_library_targets)
foreach(library ${libraries})
  install(FILES $<TARGET_FILE:${library}> DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
endforeach()
install(FILES $<TARGET_FILE:simgpu_cudart> DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(place "\${CMAKE_INSTALL_PREFIX}")
set(object ${CMAKE_CURRENT_BINARY_DIR}/installed/device_path.c.o)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/installed)
install(CODE "
  execute_process(COMMAND ${CMAKE_C_COMPILER} -fPIC -Ddevice_path=simgpu_device_path
    \"-DDEVICE_PATH=\\\"${place}/${CMAKE_INSTALL_BINDIR}/simgpu-device\\\"\" -I${PROJECT_SOURCE_DIR}
    -c ${PROJECT_SOURCE_DIR}/runtime/device_path.c -o ${object} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_AR} r \"${place}/${CMAKE_INSTALL_LIBDIR}/libsimgpu_cudart.a\" ${object} COMMAND_ERROR_IS_FATAL ANY)")

# bin/nvcc runs NVIDIA's nvcc for the simulated GPU.
if(CMAKE_CUDA_COMPILER)
  install(CODE "
    execute_process(COMMAND \"${place}/${share}/nvcc/toolkit.bash\" \"${place}/${share}/toolkit\" ${CMAKE_CUDA_COMPILER}
      \"${place}/${CMAKE_INSTALL_LIBDIR}\" COMMAND_ERROR_IS_FATAL ANY)
    file(CREATE_LINK \"${place}/${share}/toolkit/bin/nvcc\" \"${place}/${CMAKE_INSTALL_BINDIR}/nvcc\" SYMBOLIC)")
else()
  message(STATUS "nvcc not found: the installation will have no nvcc")
endif()
