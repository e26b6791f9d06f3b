// Style: warps share chunks of all rows, not rows; a lambda fetches each point; the parity is an exclusive or.
// INSTEAD OF: j = 2 * jh + ((i + colour) & 1);
j = 2 * jh + ((i ^ colour) & 1);
// END(0)
// TODO(4): a warp walks along its rows. Each step updates several points per lane, a warp's width apart: load
enum { POINTS = 4, CHUNK = LANES * POINTS };
const int across = (nx / 2 + CHUNK - 1) / CHUNK;
for (int c = blockIdx.x * WALK_WARPS + threadIdx.y; c < across * (ny - 2); c += gridDim.x * WALK_WARPS) {
  const int i = 1 + c / across, first = c % across * CHUNK + threadIdx.x;
  struct {
    float west, east, north, south, source;
  } at[POINTS];
  const auto fetch = [=](int n, auto &point) {
    const int k = i * nx + compressed_j(i, min(first + n * LANES, nx / 2 - 1), colour);
    point = {u[k - 1], u[k + 1], u[k - nx], u[k + nx], h2f[k]};
  };
#pragma unroll
  for (int n = 0; n < POINTS; n++)
    fetch(n, at[n]);
#pragma unroll
  for (int n = 0; n < POINTS; n++) {
    const int j = compressed_j(i, first + n * LANES, colour);
    if (0 < j && j < nx - 1)
      u[i * nx + j] = (at[n].west + at[n].east + at[n].north + at[n].south + at[n].source) * 0.25f;
  }
}
// END(4)
