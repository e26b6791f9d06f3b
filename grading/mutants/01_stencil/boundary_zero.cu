// 01/naive: on the boundary A is the identity
// The boundary of f is set to zero instead of copied.
// INSTEAD OF: f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : 0;
// END(2)
