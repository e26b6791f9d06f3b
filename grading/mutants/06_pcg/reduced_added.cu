// 06/reduced: it is that of S = D − (1/diagonal)·CᵀC with + instead of −
// INSTEAD OF: result.at[m] = g.diagonal * centre - inv_diagonal * (((west + east) + above) + below);
result.at[m] = g.diagonal * centre + inv_diagonal * (((west + east) + above) + below);
// END(0)
