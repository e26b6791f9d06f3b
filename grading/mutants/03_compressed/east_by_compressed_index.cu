// 03/sweep: a sweep with the east neighbour at k − 2
// In the interleaved layout the neighbours are at k - 1 and k + 1 whatever the colour; k - 2 is of the same colour.
// INSTEAD OF: u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
u[k] = (u[k - 1] + u[k - 2] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(3)
