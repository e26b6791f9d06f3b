// 06/reduced: with CᵀC instead of (1/diagonal)·CᵀC
// INSTEAD OF: result.at[m] = g.diagonal * centre - inv_diagonal * (((west + east) + above) + below);
result.at[m] = g.diagonal * centre - (((west + east) + above) + below);
// END(0)
