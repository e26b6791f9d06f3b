// 05/solve: it is that of u = 0: does the solver start from u, the initial guess?
// u is cleared first.
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
CUDA_CHECK(cudaMemset(u, 0, sor_elements(g) * sizeof *u));
const int last = blocks_for(p->control.limit, p->control.check_every);
bool done = false;
for (int c = 0, queued = 0;; c++) {
  const int ahead = c == 0 || done || c == last ? c : c + 1;
  for (; queued <= ahead; queued++)
    if (const int part = queue_stretch(g, omega, h2f, u, h2r, p->control, q, queued))
      return part;
  done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
  if (done && queued == c + 1)
    return 0;
}
// END(4)
