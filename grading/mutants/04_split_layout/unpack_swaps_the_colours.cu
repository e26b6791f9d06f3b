// 04/pack: the colours are swapped, in all rows or in some: a point is red if i + j is even
// INSTEAD OF: u[i * nx + j] = i & 1 ? black[k] : red[k];
u[i * nx + j] = i & 1 ? red[k] : black[k];
// END(1)
// INSTEAD OF: u[i * nx + j + 1] = i & 1 ? red[k] : black[k];
u[i * nx + j + 1] = i & 1 ? black[k] : red[k];
// END(1)
