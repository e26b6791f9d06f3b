// 06/fused: a launch between cudaStreamBeginCapture and cudaStreamEndCapture names no stream, or another one
// INSTEAD OF: update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
update_kernel<<<blocks, THREADS>>>(a, l);
// END(5)
