// 05/solve: it is right for a u that is 0 near the boundary: at the boundary and in the padding, h²r is 0
// INSTEAD OF: residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - g.diagonal * own.at[m] : 0;
residual.at[m] = interior_row ? sum.at[m] - g.diagonal * own.at[m] : 0;
// END(4)
