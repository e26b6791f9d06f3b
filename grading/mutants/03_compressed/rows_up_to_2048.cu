// 03/sweep: in the last rows only, rows 2048 to
// The rows after 2047 keep their values.
// INSTEAD OF: if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
if (0 < i && i < ny - 1 && 0 < j && j < nx - 1 && i < 2048)
// END(0)
