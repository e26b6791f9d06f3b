// 05/sequential: sequential
// The sum over a row holds the diagonal too.
// TODO(1): all sweeps over all unknowns, by one thread. (about 7 lines)
for (int sweep = 0; sweep < sweeps; sweep++)
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int j = 0; j < n; j++)
      s -= a[i * n + j] * x[j];
    x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
  }
// END(1)
