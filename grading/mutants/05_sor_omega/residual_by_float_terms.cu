// 05/solve: look for a variable or a sum in float
// The terms of the residual are rounded to float.
// INSTEAD OF: residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - g.diagonal * own.at[m] : 0;
residual.at[m] = is_unknown(g, p, m) ? (float)sum.at[m] - (float)(g.diagonal * own.at[m]) : 0;
// END(0)
