// 06/reduced: it is that of red points divided by 4: u_r = (C u_b + h2f_r)/diagonal, and the diagonal is 4 + κ²h²
// Red points are computed with the diagonal of κ = 0.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? (sum.at[m] + source.at[m]) / g.diagonal : 0;
result.at[m] = is_unknown(g, at, m) ? (sum.at[m] + source.at[m]) / 4 : 0;
// END(0)
