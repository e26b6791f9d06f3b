// 05/mixed: divide the residual by its norm before it is rounded to float
// The residual is converted to float without scaling.
// INSTEAD OF: to[k] = (float)(from[k] / norm);
to[k] = (float)(from[k]);
// END(6)
// INSTEAD OF: u[k] += norm * (double)e[k];
u[k] += (double)e[k];
// END(6)
