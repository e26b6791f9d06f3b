// 01/naive_sectors: % of the sectors: is each value stored once
// Each thread stores u first, and then the result.
// INSTEAD OF: f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
f[k] = u[k];
if (interior)
  f[k] = apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2);
// END(0)
