// 02/sweep: a mixture of old and new neighbours
// Both colours in one launch, without a grid-wide barrier between them.
// TODO(3): red, then black. (about 3 lines)
return gs_inplace_naive(nx, ny, h2f, u);
// END(3)
