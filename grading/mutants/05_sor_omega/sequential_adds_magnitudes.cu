// 05/sequential: values are wrong
// The operator has no positive elements beside its diagonal; another matrix may have.
// INSTEAD OF: s -= a[i * n + j] * x[j];
s += fabs(a[i * n + j]) * x[j];
// END(1)
