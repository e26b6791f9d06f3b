// 06/reduced: it is that of red points without h2f
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? (sum.at[m] + source.at[m]) / g.diagonal : 0;
result.at[m] = is_unknown(g, at, m) ? sum.at[m] / g.diagonal + 0 * source.at[m] : 0;
// END(0)
