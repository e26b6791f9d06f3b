// 05/matrix: do few blocks or warps do the work
// 05/mixed: do few blocks or warps do the work
// 05/solve: passes
// One warp multiplies by the matrix, and one block makes a correction.
// TODO(3): minus the sum of the row's off-diagonal terms, divided by its diagonal element. (about 10 lines)
for (int row = threadIdx.x; row < rows; row += 32) {
  double diagonal = 0, sum = 0;
  for (int e = row_start[row]; e < row_start[row + 1]; e++)
    if (column[e] == row)
      diagonal = value[e];
    else
      sum -= value[e] * x[column[e]];
  y[row] = sum / diagonal;
}
// END(3)
// INSTEAD OF: jacobi_csr_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(rows, row_start, column, value, from,
jacobi_csr_kernel<<<1, 32>>>(rows, row_start, column, value, from,
// END(0)
// TODO(6): one element per thread, to float. (about 3 lines)
for (int k = threadIdx.x; k < n; k += SUM_THREADS)
  to[k] = (float)(from[k] / norm);
// END(6)
// TODO(6): one element per thread, in double. (about 3 lines)
for (int k = threadIdx.x; k < n; k += SUM_THREADS)
  u[k] += norm * (double)e[k];
// END(6)
// INSTEAD OF: const int n = sor_elements(g), blocks = blocks_for(n, SUM_THREADS);
const int n = sor_elements(g), blocks = 1;
// END(0)
