// 05/solve: sor_solve: the threads of a warp read or write addresses far apart
// The threads of a warp run down a column of the residual.
// TODO(4): both colours: blockIdx.z is the colour; boundary rows too. (about 11 lines)
const int row = blockIdx.y * SWEEP_X + threadIdx.x, column = blockIdx.x * SWEEP_Y + threadIdx.y;
const place p = {row, column *pack<double>::WIDTH, (int)blockIdx.z};
if (p.i >= g.ny || p.jh >= g.pitch)
  return;
const int k = p.colour * g.ny * g.pitch + p.i * g.pitch + p.jh;
const bool interior_row = 0 < p.i && p.i < g.ny - 1;
const pack<double> sum = interior_row ? sums(g, p, h2f, u) : pack<double>{};
const pack<double> own = load(u + k);
pack<double> residual;
for (int m = 0; m < pack<double>::WIDTH; m++)
  residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - g.diagonal * own.at[m] : 0;
store(h2r + k, residual);
// END(4)
// INSTEAD OF: const dim3 blocks = blocks_of_places<double>(g, g->ny, 2), threads(SWEEP_X, SWEEP_Y);
const dim3 blocks(blocks_for(g->pitch, 2 * SWEEP_Y), blocks_for(g->ny, SWEEP_X), 2),
    threads(SWEEP_X, SWEEP_Y);
// END(4)
