// 05/sweep: the boundary was changed: boundary values are given and must not change
// All points of a row are updated, the boundary too.
// INSTEAD OF: value.at[m] = is_unknown(g, p, m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal) : value.at[m];
value.at[m] = p.jh + m >= 0 ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal) : value.at[m];
// END(1)
