// 05/solve: reports a relative residual of
// Returns while a stretch is under way: u is not the one of the residual.
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
const int last = blocks_for(p->control.limit, p->control.check_every);
bool done = false;
for (int c = 0, queued = 0;; c++) {
  const int ahead = c == 0 || done || c == last ? c : c + 1;
  for (; queued <= ahead; queued++)
    if (const int part = queue_stretch(g, omega, h2f, u, h2r, p->control, q, queued))
      return part;
  done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
  if (done)
    return 0;
}
// END(4)
