// 05/study: bytes of the host go to the device for each sweep: expected none
// A copy from the host in each sweep clears a sum that needs no clearing.
// INSTEAD OF: sor_squares(n, h2r, partial, sums_of_squares + m);
const double zero = 0;
CUDA_CHECK(cudaMemcpy(sums_of_squares + m, &zero, sizeof zero, cudaMemcpyHostToDevice));
sor_squares(n, h2r, partial, sums_of_squares + m);
// END(0)
