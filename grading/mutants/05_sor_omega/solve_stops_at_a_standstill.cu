// 05/solve: what ends the loop? Only a residual within the tolerance
// The loop ends when the residual hardly changes, and says that it has converged.
// INSTEAD OF: done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
if (c > 1 && p->control.history && fabs(p->control.history[c] - p->control.history[c - 1]) < 0.1)
  done = true, p->result.status = SOR_CONVERGED;
// END(0)
