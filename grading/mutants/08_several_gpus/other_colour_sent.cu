// 08/exchange: has got black points: expected red ones alone, the colour of the call
// 08/sweep: half-sweeps whose halo rows are a half-sweep old
// The rows of the other colour travel.
// TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k], *above = p - 1, *below = p + 1;
  const size_t bytes = p->pitch * sizeof(double);
  cudaSetDevice(p->gpu);
  if (k > 0)
    cudaMemcpyPeerAsync(row_of(above, 1 - colour, above->count + 1), above->gpu, row_of(p, 1 - colour, 1),
                        p->gpu, bytes, p->border);
  if (k < gpus - 1)
    cudaMemcpyPeerAsync(row_of(below, 1 - colour, 0), below->gpu, row_of(p, 1 - colour, p->count), p->gpu,
                        bytes, p->border);
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
