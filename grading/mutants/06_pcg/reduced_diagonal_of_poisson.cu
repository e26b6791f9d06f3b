// 06/reduced: with D = 4 or with ¼ instead of 1/diagonal: both have the diagonal 4 + κ²h²
// The red points are eliminated with the diagonal of κ = 0.
// INSTEAD OF: result.at[m] = g.diagonal * centre - inv_diagonal * (((west + east) + above) + below);
result.at[m] = g.diagonal * centre - 0.25 * (((west + east) + above) + below);
// END(0)
