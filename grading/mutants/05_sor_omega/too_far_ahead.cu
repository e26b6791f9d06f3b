// 05/solve: the relative residual after
// Two stretches are queued ahead: the norm that is waited for is overwritten.
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
const int last = blocks_for(p->control.limit, p->control.check_every);
bool done = false;
for (int c = 0, queued = 0;; c++) {
  const int ahead = c == 0 || done || c + 1 >= last ? c : c + 2;
  for (; queued <= ahead; queued++)
    if (const int part = queue_stretch(g, omega, h2f, u, h2r, p->control, q, queued))
      return part;
  done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
  if (done && queued == c + 1)
    return 0;
}
// END(4)
