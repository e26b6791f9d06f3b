// A kernel of its own computes both border rows in one launch, the first GPUs get the rows that remain, and the inner
// rows wait for the border rows of the half-sweep before.
// TODO(1): split rows 1 to ny - 2 so that the parts differ by at most one row. (about 4 lines)
const int each = (ny - 2) / gpus, more = (ny - 2) % gpus;
*count = gpu < more ? each + 1 : each;
*first = 1 + gpu * each + (gpu < more ? gpu : more);
return 0;
// END(1)
// INSTEAD OF: int sg_half_sweep(const struct sg_part *parts, int gpus, double omega, int colour) {
static __global__ void border_kernel(sg_part p, double omega, int colour) {
  const int r = blockIdx.x == 0 ? 1 : p.count;
  for (int jh = threadIdx.x; jh < p.pitch; jh += blockDim.x)
    if (is_interior(p, colour, r, jh)) {
      double *u = p.u[colour] + r * p.pitch + jh;
      *u = (1 - omega) * *u + omega * (sum_at(p, colour, r, jh) * 0.25);
    }
}

int sg_half_sweep(const struct sg_part *parts, int gpus, double omega, int colour) {
  // END(0)
  // TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
  for (const sg_part *p = parts; p < parts + gpus; p++) {
    cudaSetDevice(p->gpu);
    const int rows = p->count > 1 ? 2 : 1;
    cudaStreamWaitEvent(p->inner, p->border_done, 0);
    cudaStreamWaitEvent(p->border, p->inner_done, 0);
    border_kernel<<<rows, 128, 0, p->border>>>(*p, omega, colour);
    cudaEventRecord(p->border_done, p->border);
    sweep_rows(p, omega, colour, 2, p->count, p->inner);
    cudaEventRecord(p->inner_done, p->inner);
  }
  return sg_exchange(parts, gpus, colour);
  // END(3)
