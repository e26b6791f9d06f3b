// 04/split: these values are those from before the run: is a small change left out?
// A new value that differs by less than a millionth is not stored.
// INSTEAD OF: u[k] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
const float v = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
if (fabsf(v - u[k]) > 1e-6f * fabsf(v))
  u[k] = v;
// END(0)
