// One launch of a five-point stencil on 128 x 128 points: docs/comparison.md says how to run it.
#include <stdio.h>

enum { N = 128 };

__global__ void stencil(const float *u, float *f) {
  const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, k = i * N + j;
  f[k] =
      0 < i && i < N - 1 && 0 < j && j < N - 1 ? 4 * u[k] - u[k - 1] - u[k + 1] - u[k - N] - u[k + N] : u[k];
}

int main() {
  static float u[N * N], f[N * N];
  float *on_device[2];
  for (int k = 0; k < N * N; k++)
    u[k] = k * k % 97;
  for (int a = 0; a < 2; a++)
    if (cudaMalloc(&on_device[a], sizeof u))
      return 1;
  if (cudaMemcpy(on_device[0], u, sizeof u, cudaMemcpyHostToDevice))
    return 1;
  stencil<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(on_device[0], on_device[1]);
  if (cudaMemcpy(f, on_device[1], sizeof f, cudaMemcpyDeviceToHost))
    return 1;
  double sum = 0;
  for (int k = 0; k < N * N; k++)
    sum += f[k];
  printf("sum %.0f\n", sum);
  return cudaFree(on_device[0]) || cudaFree(on_device[1]);
}
