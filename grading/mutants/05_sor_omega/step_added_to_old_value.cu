// 05/sweep: u + ω·u_GS: the old u lacks the factor 1 − ω
// clang-format off
// INSTEAD OF: value.at[m] = is_unknown(g, colour, i, jh + m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
value.at[m] = is_unknown(g, colour, i, jh + m) ? value.at[m] + omega * (sum.at[m] * inv_diagonal)
// END(1)
