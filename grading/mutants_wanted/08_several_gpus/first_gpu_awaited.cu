// 08/residual: the host uses pinned or managed memory before it has waited
// The host waits for GPU 0 alone.
// INSTEAD OF: cudaStreamSynchronize(parts[k].border);
if (k == 0)
  cudaStreamSynchronize(parts[k].border);
// END(0)
