// 08/overlap: GPU 0's inner rows are in the same stream as its border rows: expected the stream `inner`
// The inner rows follow in the border stream.
// INSTEAD OF: sweep_rows(p, omega, colour, 2, p->count, p->inner);
sweep_rows(p, omega, colour, 2, p->count, p->border);
// END(0)
