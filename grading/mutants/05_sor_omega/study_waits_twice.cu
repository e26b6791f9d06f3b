// 05/study: the host waits for the device 10 times for 5 factors
// For each factor, the host fetches the norm of h2f first, and waits for it.
// INSTEAD OF: sor_squares(n, h2f, partial, sums_of_squares); // the residual of u = 0
double of_f = 0;
sor_squares(n, h2f, partial, sums_of_squares); // the residual of u = 0
CUDA_CHECK(cudaMemcpy(&of_f, sums_of_squares, sizeof of_f, cudaMemcpyDeviceToHost));
// END(0)
