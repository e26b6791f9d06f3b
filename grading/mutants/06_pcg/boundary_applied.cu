// 06/cg: the relative residual after 1 iteration is
// A p is not zero at the boundary, which becomes unknown.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? g.diagonal * own.at[m] - sum.at[m] : 0;
result.at[m] = g.diagonal * own.at[m] - sum.at[m];
// END(2)
