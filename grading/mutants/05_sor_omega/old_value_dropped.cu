// 05/sweep: ω·u_GS: the term (1 − ω)·u is missing
// clang-format off
// INSTEAD OF: value.at[m] = is_unknown(g, colour, i, jh + m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
value.at[m] = is_unknown(g, colour, i, jh + m) ? omega * (sum.at[m] * inv_diagonal)
// END(1)
