// 05/sweep: copies within the device
// The half-sweep works in a copy of u, which a copy brings back: no kernel moves these bytes.
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
const size_t bytes = sor_elements(g) * sizeof(Real);
static Real *copy;
static size_t room;
if (room != bytes) {
  CUDA_CHECK(cudaFree(copy));
  CUDA_CHECK(cudaMalloc((void **)&copy, bytes));
  room = bytes;
}
CUDA_CHECK(cudaMemcpyAsync(copy, u, bytes, cudaMemcpyDeviceToDevice));
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, copy);
CUDA_CHECK(cudaMemcpyAsync(u, copy, bytes, cudaMemcpyDeviceToDevice));
return 0;
// END(1)
