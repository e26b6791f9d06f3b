// 02/residual: look for a float variable
// 1/h² is an integer, and rounded to float only from 4097 intervals on.
// INSTEAD OF: const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
const double r = f[k] - (4.0 * u[k] - neighbours) * (float)inv_h2;
// END(0)
