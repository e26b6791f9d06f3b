// 02/inplace: each neighbour has the factor 0.2 instead of 0.25, u(i, j) has the factor 0.2 instead of 0
// 02/masked: each neighbour has the factor 0.2 instead of 0.25, u(i, j) has the factor 0.2 instead of 0
// 02/jacobi: each neighbour has the factor 0.2 instead of 0.25, u(i, j) has the factor 0.2 instead of 0
// The mean of five points: the point itself is one of them.
// TODO(1): the step, in the order of operations of masked_redblack.h. (1 line)
value = (u[k] + u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.2f;
// END(1)
