// 05/sequential: it equals the result with a[j*n + i] instead of a[i*n + j]
// The matrix is read by columns.
// INSTEAD OF: s -= a[i * n + j] * x[j];
s -= a[j * n + i] * x[j];
// END(0)
