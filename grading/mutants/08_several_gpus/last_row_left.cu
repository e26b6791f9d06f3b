// 08/sweep: half-sweeps that do not compute the last row of a part
// The last own row is taken for the halo.
// TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k];
  cudaSetDevice(p->gpu);
  cudaStreamWaitEvent(p->border, p->inner_done, 0);
  sweep_rows(p, omega, colour, 1, 2, p->border);
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
