# Tests of the report per source line, its remarks, and the addresses and steps of a warp. Each line of report_patterns
# is wasteful in one way.
set(here ${CMAKE_CURRENT_LIST_DIR})
if(CMAKE_CUDA_COMPILER)
  add_simgpu_program(report_patterns ${here}/report_patterns.cu)
  simgpu_suite(test_report_source SOURCES ${here}/test_report_source.c ${here}/device_program.c LIBRARIES simgpu_machine
    ARGS $<TARGET_FILE:report_patterns>)
  add_simgpu_program(device_copies ${here}/device_copies.cu)
  simgpu_suite(test_device_addresses SECONDS 10 SOURCES ${here}/test_device_addresses.c ${here}/device_program.c
    ARGS $<TARGET_FILE:report_patterns> $<TARGET_FILE:device_copies>)
  add_simgpu_program(device_break ${here}/device_break.cu)
  add_simgpu_program(device_break_named ${here}/device_break.cu -G)
  set(named ${CMAKE_CURRENT_BINARY_DIR}/device_break.ptx)
  add_custom_command(OUTPUT ${named} DEPENDS ${here}/device_break.cu VERBATIM
    COMMAND ${CMAKE_CUDA_COMPILER} -ptx -arch=compute_80 -G -o ${named} ${here}/device_break.cu)
  add_custom_target(device_break_ptx DEPENDS ${named})
  simgpu_suite(test_device_break SECONDS 10 SOURCES ${here}/test_device_break.c ${here}/device_program.c LIBRARIES simgpu_machine
    TARGETS device_break device_break_named ARGS $<TARGET_FILE:device_break> $<TARGET_FILE:device_break_named> ${named} ${here})
  if(TARGET test_device_break)
    add_dependencies(test_device_break device_break_ptx)
  endif()

  add_simgpu_program(device_steps ${here}/device_steps.cu)
  simgpu_suite(test_device_steps SECONDS 10 SOURCES ${here}/test_device_steps.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_steps> ${here})
endif()
