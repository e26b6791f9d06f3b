// 08/overlap: the border stream waits for inner_done, recorded after the inner rows of the half-sweep before
// The border stream does not wait for the inner rows.
// TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k];
  cudaSetDevice(p->gpu);
  sweep_rows(p, omega, colour, 1, 2, p->border);
  if (p->count > 1)
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
