// 06/reduced: the red point (i, j − 1) counts 2 times and the red point (i, j + 1) counts 0 times
// INSTEAD OF: result.at[m] = g.diagonal * centre - inv_diagonal * (((west + east) + above) + below);
result.at[m] = g.diagonal * centre - inv_diagonal * (((west + west) + above) + below);
// END(0)
