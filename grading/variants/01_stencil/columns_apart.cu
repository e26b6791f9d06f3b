// Style: a thread has four columns of a row, a block's width apart, and loads all before the first sum.
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const int i = blockIdx.y;
const float *row = u + (size_t)i * nx;
float c[4], w[4], e[4], n[4], s[4];
const int j0 = blockIdx.x * 4 * 64 + threadIdx.x;
const bool inner_row = i > 0 && i < ny - 1;
#pragma unroll
for (int q = 0; q < 4; q++) {
  const int j = j0 + 64 * q;
  const bool in = j < nx, inside = inner_row && j > 0 && j < nx - 1;
  c[q] = in ? row[j] : 0;
  w[q] = inside ? row[j - 1] : 0;
  e[q] = inside ? row[j + 1] : 0;
  n[q] = inside ? row[j - nx] : 0;
  s[q] = inside ? row[j + nx] : 0;
}
#pragma unroll
for (int q = 0; q < 4; q++) {
  const int j = j0 + 64 * q;
  if (j < nx)
    f[(size_t)i * nx + j] =
        inner_row && j > 0 && j < nx - 1 ? apply_point(c[q], w[q], e[q], n[q], s[q], inv_h2, kappa2) : c[q];
}
// END(2)
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
naive_kernel<<<dim3(blocks_for(nx, 256), ny), 64>>>(nx, ny, inv_h2, kappa2, u, f);
return 0;
// END(2)
