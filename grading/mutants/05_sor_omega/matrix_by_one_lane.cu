// 05/matrix: one lane of each warp works
// A warp for each row, whose first lane does all the work.
// INSTEAD OF: const int row = blockIdx.x * SUM_THREADS + threadIdx.x;
const int thread = blockIdx.x * SUM_THREADS + threadIdx.x, row = thread / 32;
if (thread % 32)
  return;
// END(0)
// INSTEAD OF: jacobi_csr_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(rows, row_start, column, value, from,
    jacobi_csr_kernel<<<blocks_for(rows * 32, SUM_THREADS), SUM_THREADS>>>(rows, row_start, column, value, from,
// END(0)
