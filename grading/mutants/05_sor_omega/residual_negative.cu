// 05/mixed: corrections in the opposite direction: h²r = sum − diagonal·u
// 05/solve: solve, nx 41, ny 30: the residual has the opposite sign: expected h²r = sum − diagonal·u
// 05/study: convergence_study, nx 35, ny 28: the residual has the opposite sign: expected h²r = sum − diagonal·u
// The residual has the opposite sign: its norm is right, the correction is not.
// INSTEAD OF: residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - g.diagonal * own.at[m] : 0;
residual.at[m] = is_unknown(g, p, m) ? g.diagonal * own.at[m] - sum.at[m] : 0;
// END(0)
