// 07/cycle: a cycle of two levels
// 07/convergence: expected 7 at every n
// The second level is the last one.
// INSTEAD OF: if (const int part = mg_cycle(below, count - 1, after, stream))
if (const int part = mg_cycle(below, 1, after, stream))
// END(0)
