// 05/sequential: omega
// (1 − ω) and ω are exchanged. The first test has ω = 1, and the message of today says that nothing was
// written.
// TODO(1): all sweeps over all unknowns, by one thread. (about 7 lines)
for (int sweep = 0; sweep < sweeps; sweep++)
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int j = 0; j < n; j++)
      if (j != i)
        s -= a[i * n + j] * x[j];
    x[i] = omega * x[i] + (1 - omega) * (s / a[i * n + i]);
  }
// END(1)
