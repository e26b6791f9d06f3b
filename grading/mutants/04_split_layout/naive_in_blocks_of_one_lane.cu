// 04/naive: one lane of each warp works
// Each entry has a block of its own.
// TODO(4): one entry of C: threadIdx.x runs along its row. (about 8 lines)
const int row = blockIdx.y, column = blockIdx.x;
float sum = 0;
for (int k = 0; k < p.k; k++)
  sum = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], sum);
p.c[row * p.n + column] = sum;
// END(4)
// TODO(4): launch a thread for every entry of C. (about 4 lines)
naive_kernel<<<dim3(n, m), 1>>>({m, n, k, a, b, c});
return 0;
// END(4)
