// 05/solve: not where the pitch is longer than it need be
// 05/mixed: not where the pitch is longer than it need be
// The pitch is computed from nx, whatever the grid says.
// INSTEAD OF: Real *own = u + index_of(g, colour, i, jh);
const int pitch = ((g.nx + 1) / 2 + 31) / 32 * 32;
Real *own = u + colour * g.ny * pitch + i * pitch + jh;
// END(1)
