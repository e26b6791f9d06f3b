// 08/overlap: GPU 0 sends its border rows after its inner rows: expected that it sends them while it computes the inner rows
// The inner rows come first, and the border rows wait for them.
// TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k];
  cudaSetDevice(p->gpu);
  cudaStreamWaitEvent(p->inner, p->border_done, 0);
  sweep_rows(p, omega, colour, 2, p->count, p->inner);
  cudaEventRecord(p->inner_done, p->inner);
  cudaStreamWaitEvent(p->border, p->inner_done, 0);
  sweep_rows(p, omega, colour, 1, 2, p->border);
  if (p->count > 1)
    sweep_rows(p, omega, colour, p->count, p->count + 1, p->border);
  cudaEventRecord(p->border_done, p->border);
}
return sg_exchange(parts, gpus, colour);
// END(3)
