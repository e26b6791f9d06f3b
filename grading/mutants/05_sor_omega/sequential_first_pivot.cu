// 05/sequential: or with a_00, here 1, as the divisor
// Divides by the first diagonal element.
// INSTEAD OF: x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
x[i] = (1 - omega) * x[i] + omega * (s / a[0]);
// END(0)
