// 05/solve: although the tolerance was met after
// The loop goes on to the limit; reached is right.
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
const int last = blocks_for(p->control.limit, p->control.check_every);
for (int c = 0; c <= last; c++) {
  if (c == 0)
    if (const int part = queue_stretch(g, omega, h2f, u, h2r, p->control, q, 0))
      return part;
  if (c < last)
    if (const int part = queue_stretch(g, omega, h2f, u, h2r, p->control, q, c + 1))
      return part;
  progress_add(p, norms_wait(q, c % NORM_SLOTS));
}
return 0;
// END(4)
