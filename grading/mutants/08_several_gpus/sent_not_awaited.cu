// 08/overlap: GPU 0's border rows may run at the same time as GPU 1's copies before, and both use red points of GPU 0: expected: the border stream waits for `sent`
// No border stream waits for the rows that arrive.
// TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k], *above = p - 1, *below = p + 1;
  const size_t bytes = p->pitch * sizeof(double);
  cudaSetDevice(p->gpu);
  if (k > 0)
    cudaMemcpyPeerAsync(row_of(above, colour, above->count + 1), above->gpu, row_of(p, colour, 1), p->gpu,
                        bytes, p->border);
  if (k < gpus - 1)
    cudaMemcpyPeerAsync(row_of(below, colour, 0), below->gpu, row_of(p, colour, p->count), p->gpu, bytes,
                        p->border);
  cudaEventRecord(p->sent, p->border);
}
return 0;
// END(2)
