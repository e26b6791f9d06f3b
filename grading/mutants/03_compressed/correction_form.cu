// 03/sectors: every second element
// Adds the correction to u, which loads the point's own colour, too.
// INSTEAD OF: u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
u[k] += (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f - u[k];
// END(0)
