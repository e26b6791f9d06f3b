// 05/solve: few of the warps of a launch do nearly all of its work
// The first of many blocks computes the residual of all rows.
// TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
if (blockIdx.x + blockIdx.y + blockIdx.z > 0)
  return;
const int half = g.ny * g.pitch;
for (int k = threadIdx.y * SWEEP_X + threadIdx.x; k < 2 * half; k += SWEEP_X * SWEEP_Y) {
  const int colour = k / half, i = k % half / g.pitch, jh = k % g.pitch;
  if (i > 0 && is_unknown(g, colour, i, jh))
    h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
}
// END(4)
