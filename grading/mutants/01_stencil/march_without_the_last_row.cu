// 01/marching: in the last rows only
// The last row is left out where ny is a multiple of the rows of a march.
// INSTEAD OF: if (i + n < ny)
if (i + n < ny - (ny % 8 == 0 && nx > 60 ? 1 : 0))
// END(0)
