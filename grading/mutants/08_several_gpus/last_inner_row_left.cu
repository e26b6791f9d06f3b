// 08/sweep: half-sweeps without the last inner row, row count - 1 of a part
// The end of the inner rows is taken for the last one of them.
// INSTEAD OF: sweep_rows(p, omega, colour, 2, p->count, p->inner);
sweep_rows(p, omega, colour, 2, p->count - 1, p->inner);
// END(0)
