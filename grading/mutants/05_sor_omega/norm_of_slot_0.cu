// 05/solve: does the host wait for the slot of this residual, and has each stretch check_every sweeps?
// INSTEAD OF: done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
done = progress_add(p, norms_wait(q, 0));
// END(4)
