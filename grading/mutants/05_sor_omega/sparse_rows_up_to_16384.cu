// 05/matrix: radius of 17600 rows
// The sparse product has 64 blocks of 256 threads at most.
// INSTEAD OF: jacobi_csr_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(rows, row_start, column, value, from,
jacobi_csr_kernel<<<min(blocks_for(rows, SUM_THREADS), 64), SUM_THREADS>>>(rows, row_start, column, value, from,
// END(0)
