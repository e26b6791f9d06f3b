// 03/sweep: wrong values have the h2f of another point
// 03/once: wrong values have the h2f of another point
// INSTEAD OF: u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[i * nx + jh]) * 0.25f;
// END(0)
