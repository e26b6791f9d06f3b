// 05/mixed: corrections in the opposite direction: h²r = sum − diagonal·u
// 05/solve: solve, nx 41, ny 30: the residual has the opposite sign: expected h²r = sum − diagonal·u
// 05/study: convergence_study, nx 35, ny 28: the residual has the opposite sign: expected h²r = sum − diagonal·u
// The residual has the opposite sign: its norm is right, the correction is not.
// INSTEAD OF: h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
h2r[k] = g.diagonal * u[k] - sum_of(g, colour, i, jh, h2f, u);
// END(0)
