// 07/cycle: without the sweep before the correction
// The sweep before the correction is missing, except at the coarsest level.
// INSTEAD OF: half_sweep(n, MG_RED, h2f, u, stream);
if (count == 1)
  half_sweep(n, MG_RED, h2f, u, stream);
// END(0)
// INSTEAD OF: half_sweep(n, MG_BLACK, h2f, u, stream);
// END(0)
