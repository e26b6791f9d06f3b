// 02/residual: within the rounding of float terms
// The neighbours are added in pairs in float: an error that shows where the terms cancel.
// INSTEAD OF: const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
const double neighbours = (double)(u[k - 1] + u[k + 1]) + (u[k - nx] + u[k + nx]);
// END(0)
