// 07/cg: without the preconditioner
// z is r.
// INSTEAD OF: const double *z = count > 0 ? level->u : level->h2f;
const double *z = level->h2f;
// END(0)
