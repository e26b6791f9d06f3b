// 05/solve: the factor ¼
// h²r is divided by the diagonal.
// INSTEAD OF: residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - g.diagonal * own.at[m] : 0;
residual.at[m] = is_unknown(g, p, m) ? (sum.at[m] - g.diagonal * own.at[m]) * g.inv_diagonal : 0;
// END(0)
