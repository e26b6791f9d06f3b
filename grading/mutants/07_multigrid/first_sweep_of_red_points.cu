// 07/cycle: relaxes red points alone
// The first sweep has one colour.
// INSTEAD OF: half_sweep(n, MG_BLACK, h2f, u, stream);
// END(0)
