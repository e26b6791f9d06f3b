// 05/sweep: ω·u + (1 − ω)·u_GS: omega is on the wrong term
// The weights are exchanged.
// clang-format off
// INSTEAD OF: value.at[m] = is_unknown(g, colour, i, jh + m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
value.at[m] = is_unknown(g, colour, i, jh + m) ? omega * value.at[m] + keep * (sum.at[m] * inv_diagonal)
// END(1)
