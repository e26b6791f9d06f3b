// 05/sequential: it equals the result with a_00 instead of a_ii
// Divides by the first diagonal element.
// INSTEAD OF: x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
x[i] = (1 - omega) * x[i] + omega * (s / a[0]);
// END(0)
