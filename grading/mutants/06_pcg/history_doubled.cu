// 06/cg: the history's relative residual after 65 iterations is
// After 64 iterations the history is wrong; the solver itself is right.
// WITH HEADERS
// INSTEAD OF: s->control.history[result->iterations] = relative;
s->control.history[result->iterations] = result->iterations > 64 ? 2 * relative : relative;
// END(0)
