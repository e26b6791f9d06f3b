# Tests of the report per source line, its remarks, and the addresses of a warp. Each line of the program is wasteful in
# one way.
set(here ${CMAKE_CURRENT_LIST_DIR})
if(CMAKE_CUDA_COMPILER)
  add_simgpu_program(report_patterns ${here}/report_patterns.cu)
  add_suite(test_report_source SOURCES ${here}/test_report_source.c ${here}/device_program.c LIBRARIES simgpu_machine
    ARGS $<TARGET_FILE:report_patterns>)
  add_suite(test_device_addresses SOURCES ${here}/test_device_addresses.c ${here}/device_program.c
    ARGS $<TARGET_FILE:report_patterns>)
endif()
