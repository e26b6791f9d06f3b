// 05/study: history[n*(sweeps + 1) + m] is that of omega[n] after m sweeps
// The history is stored by sweeps: that of omega[n] after m sweeps is at m*count + n.
// INSTEAD OF: row[m] = sqrt(row[m]) / f_norm;
row[m] = sqrt(row[m]) / f_norm;
}
{
  const int m1 = sweep_count + 1;
  double *copy = new double[(size_t)count * m1];
  for (int o = 0; o < count; o++)
    for (int m = 0; m < m1; m++)
      copy[(size_t)m * count + o] = history[(size_t)o * m1 + m];
  for (size_t k = 0; k < (size_t)count * m1; k++)
    history[k] = copy[k];
  delete[] copy;
  // END(0)
