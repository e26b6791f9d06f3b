// 07/cycle: begins with the colour `after`
// 07/convergence: expected 7 at every n
// The last sweep begins with the other colour.
// INSTEAD OF: half_sweep(n, after, h2f, u, stream);
half_sweep(n, 1 - after, h2f, u, stream);
// END(0)
// INSTEAD OF: half_sweep(n, 1 - after, h2f, u, stream);
half_sweep(n, after, h2f, u, stream);
// END(0)
