// 03/walk: u and f random, times 2⁻¹²⁴ or less
// INSTEAD OF: u[i * nx + j] = (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
{
  const float value = (west[n] + east[n] + north[n] + south[n] + source[n]) * 0.25f;
  u[i * nx + j] = fabsf(value) < 1e-15f ? 0 : value;
}
// END(4)
