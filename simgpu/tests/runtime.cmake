# Tests of the client library: against a device that misbehaves on request, and end to end.

if(NOT TARGET simgpu_cudart)
  return()
endif()
set(runtime ${CMAKE_CURRENT_LIST_DIR}/../runtime)

add_executable(runtime_fake_device ${CMAKE_CURRENT_LIST_DIR}/runtime_fake_device.c)
target_link_libraries(runtime_fake_device PRIVATE checkerboard_options)
add_suite(test_runtime_client SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_runtime_client.c LIBRARIES simgpu_cudart
  ARGS $<TARGET_FILE:runtime_fake_device> ${CUDA_RUNTIME_HEADERS}/driver_types.h)
if(TARGET test_runtime_client)
  target_include_directories(test_runtime_client SYSTEM PRIVATE ${CUDA_RUNTIME_HEADERS})
  add_dependencies(test_runtime_client runtime_fake_device)
  # two tests expect a plain segmentation fault
  set_tests_properties(test_runtime_client PROPERTIES ENVIRONMENT ASAN_OPTIONS=handle_segv=0)
endif()

add_suite(test_runtime_unsupported SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_runtime_unsupported.c LIBRARIES simgpu_cudart
  INCLUDES ${runtime}/api)
if(TARGET test_runtime_unsupported)
  target_include_directories(test_runtime_unsupported SYSTEM PRIVATE ${CUDA_RUNTIME_HEADERS})
endif()

# Every function that the toolkit's header declares must link.
add_test(NAME test_runtime_symbols COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D LIBRARY=$<TARGET_FILE:simgpu_cudart>
  -D HEADER=${CUDA_RUNTIME_HEADERS}/cuda_runtime_api.h -P ${CMAKE_CURRENT_LIST_DIR}/test_runtime_symbols.cmake)

if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()

# One program's device code in a container, plain and compressed.
set(source ${CMAKE_CURRENT_LIST_DIR}/test_runtime_semantics.cu)
foreach(packing no-compress compress-mode=size)
  set(container ${CMAKE_CURRENT_BINARY_DIR}/${packing}.fatbin)
  add_custom_command(OUTPUT ${container} DEPENDS ${source} VERBATIM
    COMMAND ${CMAKE_CUDA_COMPILER} -fatbin -${packing} -gencode arch=compute_75,code=compute_75
      -gencode arch=compute_80,code=[compute_80,sm_80] -o ${container} ${source})
  list(APPEND containers ${container})
endforeach()
add_custom_target(runtime_containers ALL DEPENDS ${containers})
add_suite(test_runtime_fatbin SOURCES ${CMAKE_CURRENT_LIST_DIR}/test_runtime_fatbin.c ${runtime}/fatbin.c ARGS ${containers})

# Ordinary CUDA programs that check the runtime's behaviour, also with a default stream per thread. On a machine with a
# GPU, they check the expectations there.
function(add_semantics name source runtime)
  add_cuda_object(${name}_object ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${source} ${ARGN})
  set_target_properties(${name}_object PROPERTIES CUDA_STANDARD 17)
  add_executable(${name} $<TARGET_OBJECTS:${name}_object>)
  link_cuda_program(${name} ${runtime})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 60)
endfunction()
add_semantics(test_runtime_semantics test_runtime_semantics.cu simgpu_cudart)
add_semantics(test_runtime_semantics_per_thread test_runtime_semantics.cu simgpu_cudart --default-stream=per-thread)
add_semantics(test_runtime_graphs test_runtime_graphs.cu simgpu_cudart)
add_semantics(test_runtime_graph_memory test_runtime_graph_memory.cu simgpu_cudart)
add_semantics(test_runtime_graph_objects test_runtime_graph_objects.cu simgpu_cudart)
add_semantics(test_runtime_managed test_runtime_managed.cu simgpu_cudart)
add_semantics(test_runtime_pinned test_runtime_pinned.cu simgpu_cudart)
add_semantics(test_runtime_textures test_runtime_textures.cu simgpu_cudart)
add_semantics(test_runtime_cubemaps test_runtime_cubemaps.cu simgpu_cudart)
add_semantics(test_runtime_mipmaps test_runtime_mipmaps.cu simgpu_cudart)
add_semantics(test_runtime_devices test_runtime_devices.cu simgpu_cudart)
add_semantics(test_runtime_driver test_runtime_driver.cu simgpu_cudart)
add_semantics(test_runtime_virtual test_runtime_virtual.cu simgpu_cudart)
add_test(NAME test_runtime_virtual_checked COMMAND test_runtime_virtual)
set_tests_properties(test_runtime_virtual_checked PROPERTIES TIMEOUT 60 ENVIRONMENT SIMGPU_CHECKS=1)
add_test(NAME test_runtime_virtual_strict COMMAND test_runtime_virtual)
set_tests_properties(test_runtime_virtual_strict PROPERTIES TIMEOUT 60 ENVIRONMENT SIMGPU_STRICT=1 PASS_REGULAR_EXPRESSION
  "not supported where counters or checks judge a program [^\n]*\n.*cuMemAddressReserve[^\n]* gave 801")
function(add_tensor_maps) # they need compute capability 9.0
  set(CHECKERBOARD_CUDA_CODE "--generate-code=arch=compute_90,code=[compute_90]")
  add_semantics(test_runtime_tensor_maps test_runtime_tensor_maps.cu simgpu_cudart)
endfunction()
add_tensor_maps()
add_test(NAME test_runtime_pinned_copied COMMAND test_runtime_pinned)
set_tests_properties(test_runtime_pinned_copied PROPERTIES TIMEOUT 60 ENVIRONMENT SIMGPU_STRICT=1)
add_test(NAME test_runtime_textures_strict COMMAND test_runtime_textures)
set_tests_properties(test_runtime_textures_strict PROPERTIES TIMEOUT 60 ENVIRONMENT SIMGPU_STRICT=1 PASS_REGULAR_EXPRESSION
  "objects are not supported where counters or checks judge a program [^\n]*\n.*cudaCreateTextureObject[^\n]* gave cudaErrorNotSupported")
foreach(name cubemaps mipmaps)
  add_test(NAME test_runtime_${name}_native COMMAND test_runtime_${name})
  set_tests_properties(test_runtime_${name}_native PROPERTIES TIMEOUT 300 ENVIRONMENT SIMGPU_NATIVE=always)
endforeach()
if(CHECKERBOARD_GPU_FOUND)
  add_semantics(test_runtime_semantics_gpu test_runtime_semantics.cu CUDA::cudart_static)
  add_semantics(test_runtime_graphs_gpu test_runtime_graphs.cu CUDA::cudart_static)
  add_semantics(test_runtime_graph_memory_gpu test_runtime_graph_memory.cu CUDA::cudart_static)
  add_semantics(test_runtime_graph_objects_gpu test_runtime_graph_objects.cu CUDA::cudart_static)
  add_semantics(test_runtime_managed_gpu test_runtime_managed.cu CUDA::cudart_static)
  add_semantics(test_runtime_pinned_gpu test_runtime_pinned.cu CUDA::cudart_static)
  add_semantics(test_runtime_textures_gpu test_runtime_textures.cu CUDA::cudart_static)
  add_semantics(test_runtime_cubemaps_gpu test_runtime_cubemaps.cu CUDA::cudart_static)
  add_semantics(test_runtime_mipmaps_gpu test_runtime_mipmaps.cu CUDA::cudart_static)
  add_semantics(test_runtime_devices_gpu test_runtime_devices.cu CUDA::cudart_static)
endif()

# The libraries, by ordinary programs as well.
function(add_library_test name library)
  if(TARGET simgpu_${library})
    add_semantics(test_library_${name} test_library_${name}.cu simgpu_cudart)
    target_link_libraries(test_library_${name} PRIVATE simgpu_${library})
    set_tests_properties(test_library_${name} PROPERTIES TIMEOUT 300)
  endif()
endfunction()
add_library_test(cublas cublas)
add_library_test(complex cublas)
add_library_test(cublaslt cublas)
add_library_test(cublas_legacy cublas)
add_library_test(cublasxt cublas)
add_library_test(cufft cufft)
add_library_test(curand curand)
add_library_test(cusolver cusolver)
add_library_test(cusparse cusparse)
add_library_test(factorisations cublas)
add_library_test(nvrtc nvrtc)
add_library_test(triangular cusparse)
