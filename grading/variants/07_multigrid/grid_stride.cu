// Each kernel walks over its points with few blocks, and the sums have another order.
// TODO(1): find this thread's point; if it is interior, set r there. (about 4 lines)
for (int k = blockIdx.x * BLOCK_X * BLOCK_Y + threadIdx.y * BLOCK_X + threadIdx.x; k < n * n;
     k += gridDim.x * BLOCK_X * BLOCK_Y)
  if (is_interior(n, k / n, k % n))
    r[k] = (h2f[k] + u[k - 1] + u[k + 1] + u[k - n] + u[k + n]) - 4 * u[k];
// END(1)
// TODO(1): launch it in the stream, as smoother.h does. (2 lines)
residual_kernel<<<blocks_for(n *n, 4 * BLOCK_X * BLOCK_Y), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, h2f, u, r);
return 0;
// END(1)
// TODO(2): the nine points of r around the thread's coarse point, with their weights. (about 8 lines)
for (int k = blockIdx.x * BLOCK_X * BLOCK_Y + threadIdx.y * BLOCK_X + threadIdx.x; k < m * m;
     k += gridDim.x * BLOCK_X * BLOCK_Y) {
  const int i = k / m, j = k % m;
  double sum = 0;
  for (int di = -1; di <= 1 && is_interior(m, i, j); di++)
    for (int dj = -1; dj <= 1; dj++)
      sum += (2 - abs(di)) * (2 - abs(dj)) * r[(2 * i + di) * n + 2 * j + dj];
  coarse_h2f[k] = 0.25 * sum;
}
// END(2)
// TODO(2): launch it for the points of the coarse level. (3 lines)
const int m = n / 2 + 1;
restrict_kernel<<<blocks_for(m *m, 4 * BLOCK_X * BLOCK_Y), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, m, r,
                                                                                                coarse_h2f);
return 0;
// END(2)
// TODO(3): add the average of the coarse points that lie around this thread's point. (about 8 lines)
for (int k = blockIdx.x * BLOCK_X * BLOCK_Y + threadIdx.y * BLOCK_X + threadIdx.x; k < n * n;
     k += gridDim.x * BLOCK_X * BLOCK_Y) {
  const int i = k / n, j = k % n;
  const double *c = coarse_u + i / 2 * m + j / 2;
  if (!is_interior(n, i, j))
    continue;
  if (i % 2 == 0 && j % 2 == 0)
    u[k] += c[0];
  else if (i % 2 == 0)
    u[k] += 0.5 * (c[0] + c[1]);
  else if (j % 2 == 0)
    u[k] += 0.5 * (c[0] + c[m]);
  else
    u[k] += 0.25 * (c[0] + c[1] + c[m] + c[m + 1]);
}
// END(3)
// TODO(3): launch it for the points of the fine level. (2 lines)
prolong_kernel<<<blocks_for(n *n, 4 * BLOCK_X * BLOCK_Y), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, n / 2 + 1,
                                                                                               coarse_u, u);
return 0;
// END(3)
