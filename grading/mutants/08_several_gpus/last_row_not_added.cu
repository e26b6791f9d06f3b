// 08/residual: the rows without the last one, row ny − 2
// One row less.
// INSTEAD OF: for (int i = 1; i < ny - 1; i++)
for (int i = 1; i < ny - 2; i++)
// END(0)
