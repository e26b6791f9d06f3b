// 01/naive: the launch executes more than 20160000 warp instructions: does a loop never end?
// INSTEAD OF: f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
for (int n = 0; n < nx; n += 0)
  f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k] + n;
// END(2)
