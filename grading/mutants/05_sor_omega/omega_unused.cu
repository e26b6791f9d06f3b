// 05/sweep: omega is not used
// Gauss-Seidel, since the old value seems not to be needed.
// INSTEAD OF: value.at[m] = is_unknown(g, p, m) ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal) : value.at[m];
value.at[m] = is_unknown(g, p, m) ? sum.at[m] * inv_diagonal : value.at[m];
// END(1)
