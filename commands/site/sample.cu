// The program of the site's trace: each lane counts its steps to 1 in Collatz's sequence, and the lanes leave
// one by one.
__global__ void collatz(const int *start, int *steps) {
  int n = start[threadIdx.x], count = 0;
  while (n != 1) {
    if (n % 2)
      n = 3 * n + 1;
    else
      n /= 2;
    count++;
  }
  steps[threadIdx.x] = count;
}

int main() {
  int start[32], *on_device, *steps;
  for (int lane = 0; lane < 32; lane++)
    start[lane] = lane % 16 + 1;
  if (cudaMalloc(&on_device, sizeof start) || cudaMalloc(&steps, sizeof start) ||
      cudaMemcpy(on_device, start, sizeof start, cudaMemcpyHostToDevice))
    return 1;
  collatz<<<1, 32>>>(on_device, steps);
  const int status = cudaDeviceSynchronize();
  cudaFree(steps);
  cudaFree(on_device);
  return status;
}
