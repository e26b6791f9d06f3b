// 05/solve: it is 0: does the host wait for a slot in which no norm was queued
// The host waits for the slot of the next norm.
// INSTEAD OF: done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
done = progress_add(p, norms_wait(q, (c + 1) % NORM_SLOTS));
// END(0)
