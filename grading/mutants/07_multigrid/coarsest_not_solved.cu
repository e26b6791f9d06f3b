// 07/cycle: coarsest level stays 0
// The 3 x 3 level is left as it is.
// INSTEAD OF: half_sweep(n, MG_RED, h2f, u, stream);
if (count > 1)
  half_sweep(n, MG_RED, h2f, u, stream);
// END(0)
