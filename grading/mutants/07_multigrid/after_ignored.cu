// 07/cycle: begins with the colour `after`
// The last sweep always begins with red.
// INSTEAD OF: half_sweep(n, after, h2f, u, stream);
half_sweep(n, MG_RED, h2f, u, stream);
// END(0)
// INSTEAD OF: half_sweep(n, 1 - after, h2f, u, stream);
half_sweep(n, MG_BLACK, h2f, u, stream);
// END(0)
