// 06/fused: launch of update_kernel in the default stream, during the capture of another stream: expected <<<blocks, threads, shared bytes, stream>>>
// INSTEAD OF: update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
update_kernel<REDUCED><<<blocks, THREADS>>>(*g, l);
// END(5)
