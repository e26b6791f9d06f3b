// 02/residual: those of A u times h²: u(i−1, j) has the factor −2 instead of −1, u(i+1, j) has the factor 0
// INSTEAD OF: const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k - nx];
// END(3)
