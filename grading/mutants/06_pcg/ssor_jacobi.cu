// 06/ssor: Jacobi's preconditioner
// The neighbours are left out.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + c * sum.at[m] : 0;
result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + 0 * c * sum.at[m] : 0;
// END(3)
