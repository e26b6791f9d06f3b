// 02/residual: it is the norm of f + A u
// f + A u instead of f − A u.
// INSTEAD OF: const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
const double r = f[k] + (4.0 * u[k] - neighbours) * inv_h2;
// END(0)
