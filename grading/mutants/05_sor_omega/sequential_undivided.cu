// 05/sequential: it equals the result without the division by a_ii
// INSTEAD OF: x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
x[i] = (1 - omega) * x[i] + omega * s;
// END(0)
