# Every form of every instruction, one by one. test_opcodes compares the simulated device with plain C and with a GPU's
# recorded results (hardware/opcodes.*.csv); opcodes_hardware records them on a GPU.

add_library(simgpu_opcodes STATIC ${CMAKE_CURRENT_LIST_DIR}/opcodes.c ${CMAKE_CURRENT_LIST_DIR}/opcodes_reference.c)
target_include_directories(simgpu_opcodes PUBLIC ${CMAKE_CURRENT_LIST_DIR} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../device)
target_link_libraries(simgpu_opcodes PRIVATE simgpu_options PUBLIC m)

file(GLOB recorded CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/hardware/opcodes.*.csv)
simgpu_suite(test_opcodes SECONDS 7 SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_opcodes.c LIBRARIES simgpu_opcodes simgpu_machine
  ARGS ${recorded})

if(TARGET CUDA::cuda_driver)
  add_executable(opcodes_hardware ${CMAKE_CURRENT_LIST_DIR}/opcodes_hardware.c)
  target_include_directories(opcodes_hardware SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(opcodes_hardware PRIVATE simgpu_options simgpu_opcodes CUDA::cuda_driver)
  set_target_properties(opcodes_hardware PROPERTIES SKIP_BUILD_RPATH ON) # not the toolkit's stub of the driver
endif()
