// 05/solve: the last residual is number 8, after 52 sweeps: does the loop end there?
// A shorter last stretch is not queued, and the loop waits for its residual without end.
// INSTEAD OF: const int last = blocks_for(p->control.limit, p->control.check_every);
const int last = p->control.limit / p->control.check_every;
// END(0)
