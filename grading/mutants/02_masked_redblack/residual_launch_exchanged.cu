// 02/residual: the run launches residual_kernel with 128 blocks of 1 thread: are blocks and threads exchanged?
// INSTEAD OF: residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
residual_kernel<<<SUM_THREADS, rows>>>(nx, inv_h2, f, u, row_sums);
// END(3)
