// Style: a kernel of the stretch copies the state and squares to mapped memory, once for each stretch.
// WITH HEADERS
// INSTEAD OF: CUDA_CHECK(cudaMallocHost((void **)&v.state, sizeof *v.state));
CUDA_CHECK(cudaHostAlloc((void **)&v.state, sizeof *v.state, cudaHostAllocMapped));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMallocHost((void **)&v.squares, check_every * sizeof *v.squares));
CUDA_CHECK(cudaHostAlloc((void **)&v.squares, check_every * sizeof *v.squares, cudaHostAllocMapped));
// END(0)
// INSTEAD OF: static void view_queue(view *v, const loop &l, cudaStream_t stream) {
static __global__ void view_kernel(loop_state *to, const loop_state *from, double *squares, const double *of,
                                   int n) {
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    squares[k] = of[k];
  if (threadIdx.x == 0)
    *to = *from;
}
static void view_queue(view *v, const loop &l, cudaStream_t stream) {
  loop_state *state;
  double *squares;
  CUDA_CHECK(cudaHostGetDevicePointer((void **)&state, v->state, 0));
  CUDA_CHECK(cudaHostGetDevicePointer((void **)&squares, v->squares, 0));
  view_kernel<<<1, 64, 0, stream>>>(state, l.state, squares, l.squares, l.check_every);
  // END(0)
  // INSTEAD OF: CUDA_CHECK(cudaMemcpyAsync(v->state, l.state, sizeof *v->state, cudaMemcpyDeviceToHost, stream));
  // END(0)
  // INSTEAD OF: CUDA_CHECK(cudaMemcpyAsync(v->squares, l.squares, l.check_every * sizeof *v->squares,
  // END(0)
  // INSTEAD OF: cudaMemcpyDeviceToHost, stream));
  // END(0)
