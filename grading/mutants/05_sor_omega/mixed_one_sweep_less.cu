// 05/mixed: corrections of one sweep less than check_every
// A correction has one sweep less.
// INSTEAD OF: const int count = sweeps_before(p->control, c + 1) - sweeps_before(p->control, c);
const int count = sweeps_before(p->control, c + 1) - sweeps_before(p->control, c) - 1;
// END(0)
