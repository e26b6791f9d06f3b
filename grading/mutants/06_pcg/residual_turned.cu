// 06/cg: the residuals have the right norm, but the wrong sign
// 06/reduced: the residuals have the right norm, but the wrong sign
// r = A u - h2f.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? (sum.at[m] + source.at[m]) - g.diagonal * own.at[m] : 0;
result.at[m] = is_unknown(g, at, m) ? g.diagonal * own.at[m] - (sum.at[m] + source.at[m]) : 0;
// END(0)
