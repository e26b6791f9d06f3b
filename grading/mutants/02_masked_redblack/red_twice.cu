// 02/sectors: counts when 02/sweep passes
// 02/sweep: it equals the red half-sweep alone
// 02/convergence: the residual no longer decreases
// Copied the line and forgot to change the colour.
// TODO(3): red, then black. (about 3 lines)
const int part = gs_masked_half_sweep(nx, ny, 0, h2f, u);
return part ? part : gs_masked_half_sweep(nx, ny, 0, h2f, u);
// END(3)
