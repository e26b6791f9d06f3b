// 02/residual: the run launches residual_kernel with 1 block of 64 threads
// INSTEAD OF: residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
residual_kernel<<<rows, 64>>>(nx, inv_h2, f, u, row_sums);
// END(3)
