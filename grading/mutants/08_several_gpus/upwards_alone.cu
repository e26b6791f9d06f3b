// 08/exchange: no row arrives above GPU 1's part: expected the red points of row 3, from GPU 0
// No part sends its last row.
// TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k], *above = p - 1, *below = p + 1;
  const size_t bytes = p->pitch * sizeof(double);
  cudaSetDevice(p->gpu);
  if (k > 0)
    cudaMemcpyPeerAsync(row_of(above, colour, above->count + 1), above->gpu, row_of(p, colour, 1), p->gpu,
                        bytes, p->border);
  if (k < 0)
    cudaMemcpyPeerAsync(row_of(below, colour, 0), below->gpu, row_of(p, colour, p->count), p->gpu, bytes,
                        p->border);
  cudaEventRecord(p->sent, p->border);
}
for (int k = 0; k < gpus; k++) {
  if (k > 0)
    cudaStreamWaitEvent(parts[k].border, parts[k - 1].sent, 0);
  if (k < gpus - 1)
    cudaStreamWaitEvent(parts[k].border, parts[k + 1].sent, 0);
}
return 0;
// END(2)
