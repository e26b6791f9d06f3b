// 05/solve: the device is idle while the host waits
// Each residual is awaited before the next stretch is queued.
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
for (int c = 0;; c++) {
  if (const int part = queue_stretch(g, omega, h2f, u, h2r, p->control, q, c))
    return part;
  if (progress_add(p, norms_wait(q, c % NORM_SLOTS)))
    return 0;
}
// END(4)
