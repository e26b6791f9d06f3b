// 05/sequential: it equals the result of b_i plus the sum
// INSTEAD OF: s -= a[i * n + j] * x[j];
s += a[i * n + j] * x[j];
// END(0)
