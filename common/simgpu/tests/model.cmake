# The time model against what an H200 took for the same kernels.
set(here ${CMAKE_CURRENT_LIST_DIR})
if(CMAKE_CUDA_COMPILER)
  add_simgpu_program(model_times ${here}/model_times.cu --extended-lambda)
  add_suite(model_hardware SOURCES ${here}/model_hardware.c ${here}/device_program.c LIBRARIES m
    ARGS $<TARGET_FILE:model_times>)
endif()
