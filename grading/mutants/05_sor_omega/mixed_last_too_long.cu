// 05/mixed: corrections of check_every sweeps each: the last one has only the sweeps that remain
// The last correction has as many sweeps as the others, beyond the limit.
// INSTEAD OF: const int count = sweeps_before(p->control, c + 1) - sweeps_before(p->control, c);
const int count = p->control.check_every;
// END(0)
