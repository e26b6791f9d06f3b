// 02/residual: look for a float variable
// The sum is in double, but its terms are not.
// INSTEAD OF: const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
const float neighbours = u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
const double r = f[k] - (4 * u[k] - neighbours) * inv_h2;
// END(3)
// INSTEAD OF: const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
// END(3)
