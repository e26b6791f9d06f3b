// 03/walk: of the lanes are active
// The walk visits the points of both colours, and a mask selects those of one.
// TODO(4): a warp walks along its rows. Each step updates several points per lane, a warp's width apart: load
// the values of all of them before you compute the first. (about 24 lines)
enum { POINTS = 4 };
for (int i = 1 + blockIdx.x * WALK_WARPS + threadIdx.y; i < ny - 1; i += gridDim.x * WALK_WARPS)
  for (int first = threadIdx.x; first < nx; first += LANES * POINTS) {
    float west[POINTS], east[POINTS], north[POINTS], south[POINTS], source[POINTS];
#pragma unroll
    for (int n = 0; n < POINTS; n++) { // a point past the last one loads what the last one loads
      const int k = i * nx + min(max(first + n * LANES, 1), nx - 2);
      west[n] = u[k - 1];
      east[n] = u[k + 1];
      north[n] = u[k - nx];
      south[n] = u[k + nx];
      source[n] = h2f[k];
    }
#pragma unroll
    for (int n = 0; n < POINTS; n++) {
      const int j = (i + first + n * LANES) % 2 == colour ? first + n * LANES : 0;
      if (0 < j && j < nx - 1)
        u[i * nx + j] = (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
    }
  }
// END(4)
