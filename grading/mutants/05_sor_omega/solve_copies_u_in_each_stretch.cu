// 05/solve: sor_solve: copies within the device
// u is copied to a spare array after each stretch.
// INSTEAD OF: norms_queue(q, c % NORM_SLOTS, sor_elements(g), h2r);
norms_queue(q, c % NORM_SLOTS, sor_elements(g), h2r);
CUDA_CHECK(cudaMemcpyAsync(h2r, u, sor_elements(g) * sizeof *u, cudaMemcpyDeviceToDevice));
// END(0)
