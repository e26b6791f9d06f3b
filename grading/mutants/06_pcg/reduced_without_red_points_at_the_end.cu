// 06/reduced: all black points are right: are the red points computed from them after the loop?
// Red points are computed before the loop alone.
// INSTEAD OF: part = part ? part : solve_red(&s);
// END(0)
