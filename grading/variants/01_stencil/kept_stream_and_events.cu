// Style: a non-blocking stream and two events, kept for all calls, order the kernel and the default stream.
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
static cudaStream_t stream;
static cudaEvent_t before, after;
if (!stream) {
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
}
cudaEventRecord(before, 0);
cudaStreamWaitEvent(stream, before, 0);
naive_kernel<<<grid, block, 0, stream>>>(nx, ny, inv_h2, kappa2, u, f);
cudaEventRecord(after, stream);
cudaStreamWaitEvent(0, after, 0);
if (cudaPeekAtLastError() != cudaSuccess)
  return 0;
// END(0)
