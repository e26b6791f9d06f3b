// 06/cg: the relative residual after 1 iteration is
// The operator of the iteration is that of kappa = 0.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? g.diagonal * own.at[m] - sum.at[m] : 0;
result.at[m] = is_unknown(g, at, m) ? 4 * own.at[m] - sum.at[m] : 0;
// END(2)
