// 02/residual: u and f zero, apart from f in the first rows
// A row whose sum is zero keeps what was in the work space.
// INSTEAD OF: row_sums[i - 1] = partial[0];
if (const double sum = *(volatile double *)partial)
  row_sums[i - 1] = sum;
// END(0)
