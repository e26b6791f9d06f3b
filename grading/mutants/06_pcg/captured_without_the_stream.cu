// 06/fused: a launch between cudaStreamBeginCapture and cudaStreamEndCapture names no stream, or another one
// INSTEAD OF: update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
update_kernel<REDUCED><<<blocks, THREADS>>>(*g, l);
// END(5)
