// 03/walk: 0.50 of the lanes are active
// Sixteen lanes of each warp walk, the others are idle.
// TODO(4): a warp walks along its rows. Each step updates several points per lane, a warp's width apart: load
// the values of all of them before you compute the first. (about 24 lines)
enum { POINTS = 4 };
for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
  for (int first = threadIdx.x; first < (threadIdx.x < 16 ? nx / 2 : 0); first += 16 * POINTS) {
    float west[POINTS], east[POINTS], north[POINTS], south[POINTS], source[POINTS];
#pragma unroll
    for (int n = 0; n < POINTS; n++) { // a point past the last one loads what the last one loads
      const int k = i * nx + compressed_j(i, min(first + n * 16, nx / 2 - 1), colour);
      west[n] = u[k - 1];
      east[n] = u[k + 1];
      north[n] = u[k - nx];
      south[n] = u[k + nx];
      source[n] = h2f[k];
    }
#pragma unroll
    for (int n = 0; n < POINTS; n++) {
      const int j = compressed_j(i, first + n * 16, colour);
      if (0 < j && j < nx - 1)
        u[i * nx + j] = (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
    }
  }
// END(4)
