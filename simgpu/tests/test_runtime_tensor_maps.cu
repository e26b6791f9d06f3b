// Tensor maps that a program or a kernel wrote itself, not cuTensorMapEncodeTiled: none of them may harm the device.
// For the simulated GPU only, whose maps have a known content.
#include "semantics.h"

#include <cstring>
#include <cuda.h>

#include "../tensor_map.h"

__global__ void load(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(1024) char box[4096];
  __shared__ uint64_t barrier;
  const uint32_t place = (uint32_t)__cvta_generic_to_shared(box),
                 at = (uint32_t)__cvta_generic_to_shared(&barrier);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%3, %4}], [%2];" ::"r"(place),
               "l"(&map), "r"(at), "r"(0), "r"(0)
               : "memory");
}

// 64 x 64 floats, of which 32 x 8 are copied, with one change.
template <class F> static cudaError_t copied(F change) {
  float *tensor;
  CUtensorMap map;
  tensor_map m = {};
  cudaMalloc(&tensor, 64 * 64 * sizeof *tensor);
  m.address = (uintptr_t)tensor;
  m.pitch[0] = sizeof *tensor, m.pitch[1] = 64 * sizeof *tensor;
  m.size[0] = m.size[1] = 64;
  m.box[0] = 32, m.box[1] = 8;
  m.stride[0] = m.stride[1] = 1;
  m.dimensions = 2, m.element = sizeof *tensor, m.span = 1, m.mark = TENSOR_MAP_MARK;
  change(m);
  memset(&map, 0, sizeof map);
  memcpy(&map, &m, sizeof m);
  load<<<1, 1>>>(map);
  return cudaDeviceSynchronize();
}

#define COPIED(name, error, change)                                                                          \
  static void name() {                                                                                       \
    compare(copied([](tensor_map &m) { change; }), error, #change, __LINE__);                                \
  }
COPIED(good, cudaSuccess, (void)m)
COPIED(unmarked, cudaErrorIllegalInstruction, m.mark = 0)
COPIED(empty_element, cudaErrorIllegalInstruction, m.element = 0)
COPIED(odd_element, cudaErrorIllegalInstruction, m.element = 3)
COPIED(no_span, cudaErrorIllegalInstruction, m.span = 0)
COPIED(many_dimensions, cudaErrorIllegalInstruction, m.dimensions = 200)
COPIED(other_dimensions, cudaErrorIllegalInstruction, (m.dimensions = 1))
COPIED(no_stride, cudaErrorIllegalInstruction, m.stride[1] = 0)
COPIED(part_of_a_piece, cudaErrorIllegalInstruction, m.box[0] = 1)
COPIED(long_box, cudaErrorIllegalInstruction, m.box[1] = 65535)
COPIED(large_box, cudaErrorIllegalAddress, m.box[1] = 256)
COPIED(odd_address, cudaErrorMisalignedAddress, m.address += 8)
COPIED(far_rows, cudaErrorIllegalAddress, (m.pitch[1] = UINT64_C(1) << 63, m.size[1] = 0))

int main() {
  return run_parts({{"good", good},
                    {"unmarked", unmarked},
                    {"empty element", empty_element},
                    {"odd element", odd_element},
                    {"no span", no_span},
                    {"many dimensions", many_dimensions},
                    {"other dimensions", other_dimensions},
                    {"no stride", no_stride},
                    {"part of a piece", part_of_a_piece},
                    {"long box", long_box},
                    {"large box", large_box},
                    {"odd address", odd_address},
                    {"far rows", far_rows}});
}
