// 06/reduced: it is that of red points that keep their values of the initial guess
// The residual of black points uses the red points of the initial guess.
// INSTEAD OF: part = solve_red(&s);
part = 0;
// END(0)
