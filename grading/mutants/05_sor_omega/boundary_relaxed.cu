// 05/sweep: the boundary was changed: boundary values are given and must not change
// All points of a row are updated, the boundary too.
// clang-format off
// INSTEAD OF: value.at[m] = is_unknown(g, colour, i, jh + m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
value.at[m] = jh + m >= 0 ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
// END(1)
