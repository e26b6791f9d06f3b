// 03/sweep: a sweep that leaves out the last column pair: is nx/2 rounded down?
// Only pairs that lie inside as a whole, as if nx were always odd.
// INSTEAD OF: if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
if (0 < i && i < ny - 1 && 0 < j && jh < (nx - 1) / 2)
// END(3)
