// 05/solve: not where the pitch is longer than it need be
// 05/mixed: not where the pitch is longer than it need be
// The pitch is computed from nx, whatever the grid says.
// INSTEAD OF: Real *own = u + colour * g.ny * g.pitch + p.i * g.pitch + p.jh;
const int pitch = ((g.nx + 1) / 2 + 31) / 32 * 32;
Real *own = u + colour * g.ny * pitch + p.i * pitch + p.jh;
// END(1)
