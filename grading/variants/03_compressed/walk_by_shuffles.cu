// Style: blocks of 128 x 4; a walk whose east neighbours come from the next lane.
// INSTEAD OF: block[0] = 32;
block[0] = 128;
// END(2)
// INSTEAD OF: block[1] = 8;
block[1] = 4;
// END(2)
// TODO(4): a warp walks along its rows. Each step updates several points per lane, a warp's width apart: load
enum { P = 4 };
const unsigned all = 0xffffffffu;
const int lane = threadIdx.x;
for (int i = 1 + blockIdx.x * 2 + threadIdx.y; i < ny - 1; i += gridDim.x * 2) {
  const int s = (i + colour) & 1;
  for (int first = 0; first < (nx + 1) / 2; first += 32 * P) {
    float west[P], last[P], north[P], south[P], source[P];
#pragma unroll
    for (int p = 0; p < P; p++) {
      const int j = 2 * (first + 32 * p + lane) + s;
      west[p] = 0 < j && j <= nx ? u[i * nx + j - 1] : 0.0f;
      last[p] = lane == 31 && j + 1 < nx ? u[i * nx + j + 1] : 0.0f;
      const bool on = 0 < j && j < nx - 1;
      north[p] = on ? u[(i - 1) * nx + j] : 0.0f;
      south[p] = on ? u[(i + 1) * nx + j] : 0.0f;
      source[p] = on ? h2f[i * nx + j] : 0.0f;
    }
#pragma unroll
    for (int p = 0; p < P; p++) {
      const int j = 2 * (first + 32 * p + lane) + s;
      const float next = __shfl_down_sync(all, west[p], 1), east = lane == 31 ? last[p] : next;
      if (0 < j && j < nx - 1)
        u[i * nx + j] = (west[p] + east + north[p] + south[p] + source[p]) * 0.25f;
    }
  }
}
// END(4)
