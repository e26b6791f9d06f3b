// 06/ssor: with −c instead of c
// The neighbours are subtracted, as in A.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + c * sum.at[m] : 0;
result.at[m] = is_unknown(g, at, m) ? s * own.at[m] - c * sum.at[m] : 0;
// END(3)
