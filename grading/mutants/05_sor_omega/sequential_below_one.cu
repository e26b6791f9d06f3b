// 05/sequential: omega is not used
// Underrelaxation is left out.
// INSTEAD OF: x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
{
  const double factor = omega < 1 ? 1 : omega;
  x[i] = (1 - factor) * x[i] + factor * (s / a[i * n + i]);
}
// END(1)
