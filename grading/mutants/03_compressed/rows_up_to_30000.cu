// 03/sweep: in the last rows only, rows 30000 to
// The rows after 29999 keep their values.
// INSTEAD OF: if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
if (0 < i && i < ny - 1 && 0 < j && j < nx - 1 && i < 30000)
// END(0)
