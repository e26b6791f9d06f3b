// 05/solve: it is the square of the residual's norm over the norm of h2f
// The square of the norm takes the place of the norm.
// INSTEAD OF: done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
{
  const double r = norms_wait(q, c % NORM_SLOTS);
  done = progress_add(p, r * r);
}
// END(0)
