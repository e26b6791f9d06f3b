// 05/sequential: it equals x_i = (1 − ω)·x_i + ω·(b_i/a_ii² − sum/a_ii²)
// INSTEAD OF: x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i] / a[i * n + i]);
// END(0)
