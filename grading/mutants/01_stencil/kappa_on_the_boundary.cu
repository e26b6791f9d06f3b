// 01/kappa: with κ²u added on the boundary, too, where A is the identity
// clang-format off
// INSTEAD OF: f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k] + kappa2 * u[k];
// END(2)
