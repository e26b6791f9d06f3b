// 05/solve: the device is idle while the host waits
// The stretches are queued ahead, but the host waits for all of the device after each.
// INSTEAD OF: norms_queue(q, c % NORM_SLOTS, sor_elements(g), h2r);
norms_queue(q, c % NORM_SLOTS, sor_elements(g), h2r);
CUDA_CHECK(cudaDeviceSynchronize());
// END(0)
