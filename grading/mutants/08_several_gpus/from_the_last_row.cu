// 08/residual: the sums of the rows from the last one to the first
// The sums are added from below.
// INSTEAD OF: for (int i = 1; i < ny - 1; i++)
for (int i = ny - 2; i > 0; i--)
// END(0)
