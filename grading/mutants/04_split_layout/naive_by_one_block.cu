// 04/naive: sgemm_naive: 1 block with 1024 threads in all for 66560 points
// clang-format off
// TODO(4): launch a thread for every entry of C. (about 4 lines)
slow_kernel<<<1, 1024>>>(m, n, k, a, b, c);
return 0;
// END(4)
// INSTEAD OF: int sgemm_naive(int m, int n, int k, const float *a, const float *b, float *c) {
static __global__ void slow_kernel(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int e = threadIdx.x; e < m * n; e += 1024) {
    float sum = 0;
    for (int l = 0; l < k; l++)
      sum = fmaf(a[e / n * k + l], b[l * n + e % n], sum);
    c[e] = sum;
  }
}

int sgemm_naive(int m, int n, int k, const float *a, const float *b, float *c) {
// END(4)
