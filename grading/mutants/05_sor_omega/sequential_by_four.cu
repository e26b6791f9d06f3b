// 05/sequential: it equals x_i = (1 − ω)·x_i + ω·¼·(b_i − sum)
// INSTEAD OF: x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
x[i] = (1 - omega) * x[i] + omega * (s / 4);
// END(0)
