// 03/walk: of the 32 bytes of a sector are used: expected about 16
// Each lane has four neighbouring points: the lanes of a load are 32 bytes apart.
// TODO(4): a warp walks along its rows. Each step updates several points per lane, a warp's width apart: load
enum { POINTS = 4 };
for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
  for (int first = threadIdx.x * POINTS; first < nx / 2; first += LANES * POINTS) {
    float west[POINTS], east[POINTS], north[POINTS], south[POINTS], source[POINTS];
#pragma unroll
    for (int n = 0; n < POINTS; n++) {
      const int k = i * nx + compressed_j(i, min(first + n, nx / 2 - 1), colour);
      west[n] = u[k - 1];
      east[n] = u[k + 1];
      north[n] = u[k - nx];
      south[n] = u[k + nx];
      source[n] = h2f[k];
    }
#pragma unroll
    for (int n = 0; n < POINTS; n++) {
      const int j = compressed_j(i, first + n, colour);
      if (0 < j && j < nx - 1)
        u[i * nx + j] = (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
    }
  }
// END(4)
