// 06/fused: a negative operator
// The division by p·Ap ignores its sign.
// INSTEAD OF: return (is_unknown(a.g, at, 0) ? p.at[0] * q.at[0] : 0) +
return (is_unknown(a.g, at, 0) ? p.at[0] * q.at[0] : 0) + (is_unknown(a.g, at, 1) ? p.at[1] * q.at[1] : 0);
// END(5)
// INSTEAD OF: (is_unknown(a.g, at, 1) ? p.at[1] * q.at[1] : 0);
// END(5)
// INSTEAD OF: if (!(curvature > 0 && isfinite(curvature)))
// END(5)
// INSTEAD OF: s->status = isfinite(curvature) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
// END(5)
