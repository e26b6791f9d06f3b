// 07/cycle: two sweeps without a correction
// 07/convergence: at n = 257 (the limit)
// The correction never reaches u.
// INSTEAD OF: if (const int part = mg_prolong(n, below->u, u, stream))
if (const int part = 0 * mg_prolong(n, below->u, level->r, stream))
// END(0)
