// 01/marching: each thread owns four columns, and walks down several rows
// Where rows are not aligned, the kernel of part 2 does the work.
// INSTEAD OF: if (nx % MARCH_COLUMNS == 0)
if (nx % MARCH_COLUMNS != 0)
  return apply_naive(nx, ny, inv_h2, kappa2, u, f);
if (nx % MARCH_COLUMNS == 0)
// END(5)
