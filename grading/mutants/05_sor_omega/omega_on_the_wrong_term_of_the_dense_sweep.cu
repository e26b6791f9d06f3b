// 05/sequential: omega is on the wrong term
// (1 − ω) and ω are exchanged.
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
