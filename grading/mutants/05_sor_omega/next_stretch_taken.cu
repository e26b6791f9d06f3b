// 05/solve: exit status 1
// After a residual within the tolerance, the solver takes the stretch that is queued, whatever its residual.
// INSTEAD OF: done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
const bool was_done = done;
done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
// END(4)
// INSTEAD OF: if (done && queued == c + 1)
if (was_done || (done && queued == c + 1))
// END(4)
