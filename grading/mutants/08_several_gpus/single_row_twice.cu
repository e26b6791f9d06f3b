// 08/sweep: half-sweeps that compute the row of a part with a single row twice
// A part with one row computes it as its first and as its last one.
// TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k];
  cudaSetDevice(p->gpu);
  cudaStreamWaitEvent(p->border, p->inner_done, 0);
  sweep_rows(p, omega, colour, 1, 2, p->border);
  if (p->count > 0)
    sweep_rows(p, omega, colour, p->count, p->count + 1, p->border);
  cudaEventRecord(p->border_done, p->border);
}
const int part = sg_exchange(parts, gpus, colour);
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k];
  cudaSetDevice(p->gpu);
  cudaStreamWaitEvent(p->inner, p->border_done, 0);
  sweep_rows(p, omega, colour, 2, p->count, p->inner);
  cudaEventRecord(p->inner_done, p->inner);
}
return part;
// END(3)
