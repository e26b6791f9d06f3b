// 05/sequential: are wrong
// The unknowns are kept in shared memory, with room for 64.
// TODO(1): all sweeps over all unknowns, by one thread. (about 7 lines)
__shared__ double kept[64];
const int m = n < 64 ? n : 64;
for (int i = 0; i < m; i++)
  kept[i] = x[i];
for (int sweep = 0; sweep < sweeps; sweep++)
  for (int i = 0; i < m; i++) {
    double s = b[i];
    for (int j = 0; j < m; j++)
      if (j != i)
        s -= a[i * n + j] * kept[j];
    kept[i] = (1 - omega) * kept[i] + omega * (s / a[i * n + i]);
  }
for (int i = 0; i < m; i++)
  x[i] = kept[i];
// END(1)
