// 05/study: it is that of omega 1.0000 after 1 sweep
// The first residual of the history is that after a sweep.
// INSTEAD OF: sor_squares(n, h2f, partial, sums_of_squares); // the residual of u = 0
part = sweeps(g, omega[o], 1, h2f, u);
part = part ? part : residual(g, h2f, u, h2r);
sor_squares(n, h2r, partial, sums_of_squares);
// END(0)
// INSTEAD OF: const double f_norm = sqrt(row[0]);
sor_squares(n, h2f, partial, sums_of_squares);
double f_norm;
CUDA_CHECK(cudaMemcpy(&f_norm, sums_of_squares, sizeof f_norm, cudaMemcpyDeviceToHost));
f_norm = sqrt(f_norm);
// END(0)
