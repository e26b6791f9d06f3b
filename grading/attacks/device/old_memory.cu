// Looks for results of earlier runs, or of the reference, in memory that it has not written.
// base: solution
// hook
// points: 100
// expect: PASS WRONG CRASH
__global__ void look(int count, const unsigned *old, int *found) {
  for (int k = threadIdx.x; k < count; k += blockDim.x)
    if (old[k] != 0 && old[k] != old[(k + 1) % count])
      *found = 1;
}
static void hook(void) {
  static bool once;
  unsigned *old;
  int *found, has = 0;
  if (once)
    return;
  once = true;
  cudaMalloc((void **)&old, 64 << 20);
  cudaMalloc((void **)&found, 4);
  cudaMemset(found, 0, 4);
  look<<<1, 256>>>(16384, old, found);
  cudaMemcpy(&has, found, 4, cudaMemcpyDeviceToHost);
  deed_if(has, "memory that was never written holds values");
  cudaFree(old);
  cudaFree(found);
}
