// 06/ssor: at interior points only, rows 9999 to
// The rows after 9999 are zero.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + c * sum.at[m] : 0;
result.at[m] = is_unknown(g, at, m) && at.i < 10000 ? s * own.at[m] + c * sum.at[m] : 0;
// END(0)
