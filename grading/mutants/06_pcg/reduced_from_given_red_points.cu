// 06/reduced: after the red points are computed from them
// The residual of black points uses the red points of the initial guess.
// INSTEAD OF: int part = solve_red(s);
int part = 0;
// END(0)
