// 07/residual: A u = 4u − the neighbours
// The neighbours are added.
// INSTEAD OF: value = 4 * u[k] - (u[k - 1] + u[k + 1] + u[k - n] + u[k + n]);
value = 4 * u[k] + (u[k - 1] + u[k + 1] + u[k - n] + u[k + n]);
// END(0)
