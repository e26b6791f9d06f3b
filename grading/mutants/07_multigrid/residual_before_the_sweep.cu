// 07/cycle: residual of u before the first sweep
// The residual is that of u before the sweep.
// INSTEAD OF: half_sweep(n, MG_RED, h2f, u, stream);
if (const int part = count > 1 ? mg_residual(n, h2f, u, level->r, stream) : 0)
  return part;
half_sweep(n, MG_RED, h2f, u, stream);
// END(0)
// INSTEAD OF: if (const int part = mg_residual(n, h2f, u, level->r, stream))
if (const int part = 0)
// END(0)
