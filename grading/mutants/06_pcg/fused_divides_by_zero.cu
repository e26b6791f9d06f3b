// 06/fused: p·Ap = 0
// A curvature of zero is no breakdown.
// INSTEAD OF: if (!(curvature > 0 && isfinite(curvature)))
if (curvature < 0 || !isfinite(curvature))
// END(0)
