// 06/cg: not where the pitch is longer than it need be
// 06/fused: not where the pitch is longer than it need be
// The pitch is computed from nx, whatever the grid says.
// INSTEAD OF: return (colour * g.ny + i) * g.pitch + jh;
return (colour * g.ny + i) * (((g.nx + 1) / 2 + 31) / 32 * 32) + jh;
// END(2)
