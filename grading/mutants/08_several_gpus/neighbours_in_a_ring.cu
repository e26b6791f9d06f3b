// 08/exchange: the row above GPU 0's part has changed: it is the boundary of the grid, and no neighbour is there
// The first and the last GPU are neighbours of each other.
// TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k], *above = &parts[(k + gpus - 1) % gpus], *below = &parts[(k + 1) % gpus];
  const size_t bytes = p->pitch * sizeof(double);
  cudaSetDevice(p->gpu);
  if (gpus > 1)
    cudaMemcpyPeerAsync(row_of(above, colour, above->count + 1), above->gpu, row_of(p, colour, 1), p->gpu,
                        bytes, p->border);
  if (gpus > 1)
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
