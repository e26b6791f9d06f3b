// 06/fused: a negative operator
// The division by p·Ap ignores its sign.
// INSTEAD OF: if (!(curvature > 0 && isfinite(curvature)))
if (!isfinite(curvature))
// END(5)
