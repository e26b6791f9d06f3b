// 07/cycle: on the finest level alone
// The levels below always take red first.
// INSTEAD OF: if (const int part = mg_cycle(below, count - 1, after, stream))
if (const int part = mg_cycle(below, count - 1, MG_RED, stream))
// END(0)
