// 07/cg: CG needs a symmetric M
// The cycle is the faster one, which is not symmetric.
// INSTEAD OF: return mg_cycle(level, count, MG_BLACK, stream);
return mg_cycle(level, count, MG_RED, stream);
// END(0)
