// 05/study: red and then black points from u = h2f
// INSTEAD OF: CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
CUDA_CHECK(cudaMemcpy(u, h2f, n * sizeof *u, cudaMemcpyDeviceToDevice));
// END(0)
