// 05/mixed: it equals corrections whose sweeps begin with black points: red comes first
// The sweeps in float exchange the colours.
// INSTEAD OF: if (const int part = half_sweep(g, omega, n % 2, h2f, u))
if (const int part = half_sweep(g, omega, (n + (sizeof(Real) == sizeof(float))) % 2, h2f, u))
// END(0)
