// 05/solve: it is 1, and the next residual is relative to it: divide by the norm of h2f, not by the first residual
// Residuals are divided by that of the initial guess.
// WITH HEADERS
// INSTEAD OF: result->relative_residual = r_norm / p->f_norm;
if (result->checks == 0 && r_norm > 0)
  p->f_norm = r_norm;
result->relative_residual = r_norm / p->f_norm;
// END(0)
