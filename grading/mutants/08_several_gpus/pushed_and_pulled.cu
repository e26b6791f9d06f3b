// 08/exchange: 32 copies between the GPUs in 4 exchanges: expected 16
// Each row travels twice.
// INSTEAD OF: cudaEventRecord(p->sent, p->border);
if (k > 0)
  cudaMemcpyPeerAsync(row_of(p, colour, 0), p->gpu, row_of(above, colour, above->count), above->gpu, bytes,
                      above->border);
if (k < gpus - 1)
  cudaMemcpyPeerAsync(row_of(p, colour, p->count + 1), p->gpu, row_of(below, colour, 1), below->gpu, bytes,
                      below->border);
cudaEventRecord(p->sent, p->border);
// END(0)
