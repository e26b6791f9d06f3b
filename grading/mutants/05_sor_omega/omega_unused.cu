// 05/sweep: omega is not used
// Gauss-Seidel, since the old value seems not to be needed.
// clang-format off
// INSTEAD OF: value.at[m] = is_unknown(g, colour, i, jh + m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
value.at[m] = is_unknown(g, colour, i, jh + m) ? sum.at[m] * inv_diagonal
// END(1)
