// 06/cg: is p = z there
// The updates exchange the vectors: p = p + beta z.
// INSTEAD OF: y[k] = x[k] + beta * y[k];
y[k] = beta * x[k] + y[k];
// END(0)
