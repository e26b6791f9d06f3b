// 03/sweep: a sweep with the west neighbour at k − 2, one too far
// The neighbour of the same colour.
// INSTEAD OF: u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
u[k] = (u[k - 2] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(3)
