// 05/matrix: do few warps of each block do the work
// The first warp of each block multiplies all rows of the block.
// TODO(3): minus the sum of the row's off-diagonal terms, divided by its diagonal element. (about 10 lines)
const int end = min(rows, (int)(blockIdx.x + 1) * SUM_THREADS);
for (int row = blockIdx.x * SUM_THREADS + threadIdx.x; threadIdx.x < 32 && row < end; row += 32) {
  double diagonal = 0, sum = 0;
  for (int e = row_start[row]; e < row_start[row + 1]; e++)
    if (column[e] == row)
      diagonal = value[e];
    else
      sum -= value[e] * x[column[e]];
  y[row] = sum / diagonal;
}
// END(3)
