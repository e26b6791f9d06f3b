// 02/residual: residual_norm: its launch fails, and the program continued: expected that the caller sees the error
// INSTEAD OF: residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
cudaGetLastError();
// END(3)
