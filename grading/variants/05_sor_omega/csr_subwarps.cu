// Style: four lanes for each row of the matrix; residual by 128 threads in rows.
// TODO(3): minus the sum of the row's off-diagonal terms, divided by its diagonal element. (about 10 lines)
const int thread = blockIdx.x * SUM_THREADS + threadIdx.x, row = thread / 4, lane = thread % 4;
double diagonal = 0, sum = 0;
if (row < rows)
  for (int e = row_start[row] + lane; e < row_start[row + 1]; e += 4)
    if (column[e] == row)
      diagonal = value[e];
    else
      sum -= value[e] * x[column[e]];
for (int d = 2; d > 0; d /= 2) {
  diagonal += __shfl_down_sync(0xffffffff, diagonal, d, 4);
  sum += __shfl_down_sync(0xffffffff, sum, d, 4);
}
if (row < rows && lane == 0)
  y[row] = sum / diagonal;
// END(3)
// INSTEAD OF: jacobi_csr_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(rows, row_start, column, value, from,
    jacobi_csr_kernel<<<blocks_for(4 * rows, SUM_THREADS), SUM_THREADS>>>(rows, row_start, column, value, from,
// END(0)
