// 06/reduced: after the red points are computed from them
// The residual of black points uses the red points of the initial guess.
// INSTEAD OF: part = solve_red(&s);
part = 0;
// END(0)
