// 06/ssor: at interior points only, rows 2047 to
// The rows after 2047 are zero.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + c * sum.at[m] : 0;
result.at[m] = is_unknown(g, at, m) && at.i < 2048 ? s * own.at[m] + c * sum.at[m] : 0;
// END(0)
