// 02/sweep: it equals two sweeps instead of one
// INSTEAD OF: return part ? part : gs_masked_half_sweep(nx, ny, 1, h2f, u);
for (int n = 1; n < 4; n++)
  gs_masked_half_sweep(nx, ny, n % 2, h2f, u);
return part;
// END(0)
