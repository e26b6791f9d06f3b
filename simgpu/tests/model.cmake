# Compares the time model with an H200's times of the same kernels; validation/times.bash measures those.
set(here ${CMAKE_CURRENT_LIST_DIR})
simgpu_suite(test_model_registers SOURCES ${here}/test_model_registers.c LIBRARIES simgpu_machine)
simgpu_suite(test_model_replay SOURCES ${here}/test_model_replay.c LIBRARIES simgpu_machine)
simgpu_suite(test_model_copies SOURCES ${here}/test_model_copies.c LIBRARIES simgpu_machine m
  ARGS ${here}/hardware/copies.h200.csv)
if(CMAKE_CUDA_COMPILER)
  add_cuda_object(model_times_object ${here}/model_times.cu -fmad=false)
  add_cuda_programs(model_times FILE simgpu/validation/model_times OBJECTS model_times_object)
  set_target_properties(model_times_gpu PROPERTIES EXCLUDE_FROM_ALL ON)
  simgpu_suite(test_model_hardware SECONDS 20 SOURCES ${here}/test_model_hardware.c ${here}/device_program.c LIBRARIES m
    ARGS $<TARGET_FILE:model_times_sim>)
endif()
# Tools read the constants from this list.
simgpu_test(test_model_constants COMMAND simgpu-device --model)
set_tests_properties(test_model_constants PROPERTIES PASS_REGULAR_EXPRESSION
  "^name,value,unit\n.*\nmemory_bytes_per_ns,[0-9]+,bytes/ns\n.*\nmemory_latency,[0-9]+,clocks\n")
