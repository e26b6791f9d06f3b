// 05/solve: it is the residual for kappa = 0
// The diagonal is 4.
// INSTEAD OF: residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - g.diagonal * own.at[m] : 0;
residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - 4 * own.at[m] : 0;
// END(0)
