# Tests of the device: parser, flow graph, memory, counters, divergence, faults, determinism, life of the
# process, queued launches.

set(here ${CMAKE_CURRENT_LIST_DIR})

simgpu_suite(test_ptx_flow SOURCES ${here}/test_ptx_flow.c LIBRARIES simgpu_ptx)
simgpu_suite(test_device_memory SOURCES ${here}/test_device_memory.c LIBRARIES simgpu_machine)
simgpu_suite(test_device_virtual SOURCES ${here}/test_device_virtual.c LIBRARIES simgpu_machine)
simgpu_suite(test_device_modules SOURCES ${here}/test_device_modules.c LIBRARIES simgpu_machine)
simgpu_suite(test_device_textures SOURCES ${here}/test_device_textures.c LIBRARIES simgpu_machine INCLUDES ${PROJECT_SOURCE_DIR}/device/extra)
simgpu_suite(test_device_flow SOURCES ${here}/test_device_flow.c LIBRARIES simgpu_machine)
simgpu_suite(test_device_access SOURCES ${here}/test_device_access.c LIBRARIES simgpu_machine)
simgpu_suite(test_native_cache SECONDS 20 SOURCES ${here}/test_native_cache.c LIBRARIES simgpu_machine)
simgpu_suite(test_native SECONDS 200 SOURCES ${here}/test_native.c ${here}/native_compare.c LIBRARIES simgpu_machine)
simgpu_suite(test_native_random SECONDS 200 SOURCES ${here}/test_native_random.c ${here}/native_compare.c LIBRARIES simgpu_machine)
if(TARGET test_native)
  set_tests_properties(test_native test_native_random PROPERTIES
    ENVIRONMENT XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache)
endif()
simgpu_suite(test_device_counters SOURCES ${here}/test_device_counters.c LIBRARIES simgpu_machine)

if(CMAKE_CUDA_COMPILER)
  set(sample ${CMAKE_CURRENT_BINARY_DIR}/ptx_sample.ptx)
  add_custom_command(OUTPUT ${sample} DEPENDS ${here}/ptx_sample.cu VERBATIM
    COMMAND ${CMAKE_CUDA_COMPILER} -ptx -arch=compute_80 -lineinfo -o ${sample} ${here}/ptx_sample.cu)
  add_custom_target(ptx_sample DEPENDS ${sample})
  simgpu_suite(test_ptx_parse SOURCES ${here}/test_ptx_parse.c LIBRARIES simgpu_machine ARGS ${sample})
  if(TARGET test_ptx_parse)
    add_dependencies(test_ptx_parse ptx_sample)
  endif()

  set(intrinsics)
  foreach(code 75 80 "80 -ftz=true" 90 120)
    separate_arguments(options UNIX_COMMAND "-arch=compute_${code}")
    string(MAKE_C_IDENTIFIER "device_intrinsics_${code}" name)
    set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx)
    add_custom_command(OUTPUT ${ptx} DEPENDS ${here}/device_intrinsics.cu VERBATIM
      COMMAND ${CMAKE_CUDA_COMPILER} -ptx -std=c++17 ${options} -o ${ptx} ${here}/device_intrinsics.cu)
    list(APPEND intrinsics ${ptx})
  endforeach()
  add_custom_target(device_intrinsics_ptx DEPENDS ${intrinsics})
  simgpu_suite(test_device_intrinsics SECONDS 10 SOURCES ${here}/test_device_intrinsics.c LIBRARIES simgpu_machine ARGS ${intrinsics})
  if(TARGET test_device_intrinsics)
    add_dependencies(test_device_intrinsics device_intrinsics_ptx)
  endif()

  add_simgpu_program(test_device_divergence ${here}/test_device_divergence.cu)
  simgpu_test(test_device_divergence SECONDS 10 QUICK yes COMMAND test_device_divergence)

  add_simgpu_program(test_device_atomics ${here}/test_device_atomics.cu)
  simgpu_test(test_device_atomics SECONDS 10 COMMAND test_device_atomics)

  add_simgpu_program(test_device_groups ${here}/test_device_groups.cu)
  set_target_properties(test_device_groups PROPERTIES CUDA_STANDARD 17)
  simgpu_test(test_device_groups SECONDS 10 COMMAND test_device_groups)

  add_simgpu_program(test_device_grid_barrier ${here}/test_device_grid_barrier.cu)
  set_target_properties(test_device_grid_barrier PROPERTIES CUDA_STANDARD 17)
  simgpu_test(test_device_grid_barrier SECONDS 10 COMMAND sh -c "$0 && SIMGPU_CHECKS=1 $0 && \
    SIMGPU_CHECKS=1 SIMGPU_THREADS=1 $0 && SIMGPU_CHECKS=1 SIMGPU_ORDER=reverse $0" $<TARGET_FILE:test_device_grid_barrier>)

  add_simgpu_program(test_device_progress ${here}/test_device_progress.cu)
  simgpu_test(test_device_progress SECONDS 30 COMMAND sh -c "SIMGPU_THREADS=1 $0 && SIMGPU_THREADS=3 $0 && SIMGPU_ORDER=reverse $0"
    $<TARGET_FILE:test_device_progress>)

  add_simgpu_program(test_device_fences ${here}/test_device_fences.cu)
  simgpu_test(test_device_fences SECONDS 10 COMMAND sh -c "SIMGPU_THREADS=2 SIMGPU_NATIVE=off $0 && SIMGPU_THREADS=2 SIMGPU_NATIVE=always $0"
    $<TARGET_FILE:test_device_fences>)

  add_simgpu_program(test_device_heap ${here}/test_device_heap.cu)
  simgpu_test(test_device_heap SECONDS 10 COMMAND sh -c "a=$(SIMGPU_THREADS=1 $0) && b=$(SIMGPU_THREADS=4 SIMGPU_CHECKS=races,uninitialised \
    $0) && test $a = $b" $<TARGET_FILE:test_device_heap>)

  # Launches from kernels need NVIDIA's device linker and its library, and these need machine code.
  find_library(SIMGPU_CUDADEVRT cudadevrt HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib64)
  if(SIMGPU_CUDADEVRT)
    add_simgpu_program(test_device_children ${here}/test_device_children.cu --generate-code=arch=compute_80,code=sm_80)
    set_target_properties(test_device_children PROPERTIES CUDA_STANDARD 17 CUDA_SEPARABLE_COMPILATION ON)
    target_link_options(test_device_children PRIVATE $<DEVICE_LINK:-arch=sm_80>)
    target_link_libraries(test_device_children PRIVATE ${SIMGPU_CUDADEVRT})
    simgpu_test(test_device_children SECONDS 10 COMMAND sh -c "$0 && SIMGPU_CHECKS=races,uninitialised,frees SIMGPU_THREADS=1 $0"
      $<TARGET_FILE:test_device_children>)
    simgpu_test(test_device_children_counters SECONDS 10 COMMAND sh -c "SIMGPU_COUNTERS=$1 $0 counted && cut -d, -f1-3 $1"
      $<TARGET_FILE:test_device_children> ${CMAKE_CURRENT_BINARY_DIR}/children.csv)
    set_tests_properties(test_device_children_counters PROPERTIES PASS_REGULAR_EXPRESSION
      "^parent\nc1\nc2\nc3\nc3\n[^\n]*\n1,say_all,1x1x1\n2,say,1x1x1\n3,say,1x1x1\n4,say,2x1x1\n$")
    simgpu_test(test_device_children_budget SECONDS 10 COMMAND test_device_children counted)
    set_tests_properties(test_device_children_budget PROPERTIES ENVIRONMENT SIMGPU_LAUNCH_BUDGET=3000 PASS_REGULAR_EXPRESSION
      "launch of say refused: the grids that led to it spent the 3000 instructions of SIMGPU_LAUNCH_BUDGET\n(parent\nc1\nc2\n)?$")
  else()
    simgpu_skip(test_device_children "libcudadevrt not found")
  endif()

  foreach(test mma wmma bulk)
    add_simgpu_program_90(test_device_${test} ${here}/test_device_${test}.cu)
    simgpu_test(test_device_${test} SECONDS 10 COMMAND test_device_${test})
  endforeach()

  foreach(test clusters bulk_reduce) # older architectures have no clusters
    add_simgpu_program_90(test_device_${test} ${here}/test_device_${test}.cu)
    simgpu_test(test_device_${test} SECONDS 10 COMMAND sh -c "$0 && SIMGPU_ORDER=reverse SIMGPU_CHECKS=races,uninitialised,frees $0"
      $<TARGET_FILE:test_device_${test}>)
  endforeach()

  target_link_libraries(test_device_bulk_reduce PRIVATE simgpu_cuda) # cuTensorMapEncodeTiled

  # The device of a copy without the folder device/extra: its functions come first, so none of that folder is linked.
  add_executable(device_without_extra ../device/main.c ../device/without_extra.c)
  target_compile_definitions(device_without_extra PRIVATE SIMGPU_VERSION="${PROJECT_VERSION}")
  target_link_libraries(device_without_extra PRIVATE simgpu_machine simgpu_options)
  set(refused "are not part of this copy of the simulated GPU: expected the whole project")
  simgpu_test(test_device_without_matrices TARGETS device_without_extra COMMAND test_device_mma)
  set_tests_properties(test_device_without_matrices PROPERTIES PASS_REGULAR_EXPRESSION "matrix instructions ${refused}")
  simgpu_test(test_device_without_textures TARGETS device_without_extra COMMAND $<TARGET_FILE:test_runtime_textures>)
  set_tests_properties(test_device_without_textures PROPERTIES PASS_REGULAR_EXPRESSION "textures and surfaces ${refused}")
  set_tests_properties(test_device_without_matrices test_device_without_textures PROPERTIES
    ENVIRONMENT SIMGPU_DEVICE=$<TARGET_FILE:device_without_extra>)

  add_simgpu_program_90(device_clusters ${here}/device_clusters.cu)
  simgpu_suite(test_device_cluster_errors SECONDS 10 SOURCES ${here}/test_device_cluster_errors.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_clusters> ${here})

  add_simgpu_program(device_failing ${here}/device_faults.cu)
  add_simgpu_program(device_unsupported ${here}/device_unsupported.cu)
  simgpu_suite(test_device_faults SOURCES ${here}/test_device_faults.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_failing> $<TARGET_FILE:device_unsupported> ${here})

  add_simgpu_program(test_device_words ${here}/test_device_words.cu)
  simgpu_test(test_device_words SECONDS 10 COMMAND test_device_words)

  add_simgpu_program(test_device_printing ${here}/test_device_printing.cu)
  simgpu_test(test_device_printing SECONDS 10 COMMAND sh -c "a=$($0 host) && b=$($0 device) && echo \"$a$b\" && test \"$a\" = \"$b\""
    $<TARGET_FILE:test_device_printing>)
  add_simgpu_program(device_lenient ${here}/device_lenient.cu)
  simgpu_suite(test_device_lenient SECONDS 10 SOURCES ${here}/test_device_lenient.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_lenient> ${here})

  add_simgpu_program(device_checked ${here}/device_checks.cu)
  set_target_properties(device_checked PROPERTIES CUDA_STANDARD 17)
  target_link_libraries(device_checked PRIVATE simgpu_cuda)
  simgpu_suite(test_device_checks SOURCES ${here}/test_device_checks.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_checked> ${here})

  add_simgpu_program(device_sums ${here}/device_sums.cu)
  add_simgpu_program(device_life ${here}/device_life.cu)
  simgpu_suite(test_device_process SECONDS 10 SOURCES ${here}/test_device_process.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_sums> $<TARGET_FILE:device_life>)

  add_simgpu_program(device_queueing ${here}/device_queue.cu)
  simgpu_suite(test_device_queue SECONDS 10 SOURCES ${here}/test_device_queue.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_queueing> $<TARGET_FILE:simgpu-device>)

  add_simgpu_program(device_inlined ${here}/device_inlined.cu)
  simgpu_suite(test_device_inlined SECONDS 10 SOURCES ${here}/test_device_inlined.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_inlined> ${here})

  add_simgpu_program(device_totals ${here}/device_totals.cu)
  add_simgpu_program(device_managed ${here}/device_managed.cu)
  simgpu_suite(test_device_totals SECONDS 10 SOURCES ${here}/test_device_totals.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_totals> $<TARGET_FILE:device_managed> $<TARGET_FILE:simgpu-device>)

  add_simgpu_program(device_access_patterns ${here}/hardware/access_patterns.cu)
  simgpu_suite(test_device_hardware SECONDS 10 SOURCES ${here}/test_device_hardware.c ${here}/device_program.c
    ARGS $<TARGET_FILE:device_access_patterns> ${here}/hardware/access_patterns.h200.csv)
endif()
