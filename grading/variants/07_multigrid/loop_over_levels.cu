// A loop down and a loop up take the place of the recursion, and one thread per coarse point adds its correction by
// nine atomic additions.
// TODO(3): add the average of the coarse points that lie around this thread's point. (about 8 lines)
const int j = blockIdx.x * BLOCK_X + threadIdx.x;
const int i = blockIdx.y * BLOCK_Y + threadIdx.y;
if (!is_interior(m, i, j))
  return;
for (int di = -1; di <= 1; di++)
  for (int dj = -1; dj <= 1; dj++)
    atomicAdd(&u[(2 * i + di) * n + 2 * j + dj], (2 - abs(di)) * (2 - abs(dj)) * 0.25 * coarse_u[i * m + j]);
// END(3)
// TODO(3): launch it for the points of the fine level. (2 lines)
prolong_kernel<<<grid_for(n / 2 + 1), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, n / 2 + 1, coarse_u, u);
return 0;
// END(3)
// TODO(4): 3 x 3 points, or: sweep, residual, restrict, cycle below, prolong, sweep. (about 19 lines)
for (int l = 0; l < count; l++) {
  const mg_level *at = level + l;
  if (l > 0)
    CUDA_CHECK(cudaMemsetAsync(at->u, 0, sizeof(double) * at->n * at->n, stream));
  half_sweep(at->n, MG_RED, at->h2f, at->u, stream);
  if (l == count - 1)
    break;
  half_sweep(at->n, MG_BLACK, at->h2f, at->u, stream);
  int part = mg_residual(at->n, at->h2f, at->u, at->r, stream);
  part = part ? part : mg_restrict(at->n, at->r, at[1].h2f, stream);
  if (part)
    return part;
}
for (int l = count - 2; l >= 0; l--) {
  const mg_level *at = level + l;
  if (const int part = mg_prolong(at->n, at[1].u, at->u, stream))
    return part;
  for (const int colour : {after, 1 - after})
    half_sweep(at->n, colour, at->h2f, at->u, stream);
}
return 0;
// END(4)
