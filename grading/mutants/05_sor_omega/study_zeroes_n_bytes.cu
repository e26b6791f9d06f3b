// 05/study: is all of u zero before the sweeps of each factor?
// The residual of u = 0 is computed from u, of which n bytes are zero instead of n doubles.
// INSTEAD OF: CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
CUDA_CHECK(cudaMemset(u, 0, n));
// END(0)
// INSTEAD OF: sor_squares(n, h2f, partial, sums_of_squares); // the residual of u = 0
part = residual(g, h2f, u, h2r);
sor_squares(n, h2r, partial, sums_of_squares);
// END(0)
