// 06/cg: a negative operator
// The division by p·Ap ignores its sign.
// INSTEAD OF: if (part || !is_positive(s, curvature))
if (part || (!isfinite(curvature) && !is_positive(s, curvature)))
// END(2)
