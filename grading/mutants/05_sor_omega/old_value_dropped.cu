// 05/sweep: ω·u_GS: the term (1 − ω)·u is missing
// clang-format off
// INSTEAD OF: value.at[m] = is_unknown(g, p, m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal) : value.at[m];
value.at[m] = is_unknown(g, p, m) ? omega * (sum.at[m] * inv_diagonal) : value.at[m];
// END(1)
