// 02/residual: it is the norm of f − h⁴ A u: A u has the factor 1/h², not h²
// INSTEAD OF: const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
const double r = f[k] - (4.0 * u[k] - neighbours) / inv_h2;
// END(3)
