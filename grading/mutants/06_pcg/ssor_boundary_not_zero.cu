// 06/ssor: boundary and padding stay zero
// Boundary points beside the interior become 1e-30.
// INSTEAD OF: result.at[m] = is_unknown(g, at, m) ? s * own.at[m] + c * sum.at[m] : 0;
result.at[m] = is_unknown(g, at, m) || at.jh + m > g.nx / 2 + 2 ? s *own.at[m] + c *sum.at[m] : 1e-30;
// END(0)
