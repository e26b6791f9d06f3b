// 06/reduced: all black points are right: are the red points computed from them after the loop?
// Red points are computed before the loop alone.
// INSTEAD OF: return part ? part : solve_red(s);
return part;
// END(0)
