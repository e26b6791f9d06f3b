// 01/naive: it equals A u with 1/h² = (ny − 1)²: the argument inv_h2 is 1/h²
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
naive_kernel<<<grid, block>>>(nx, ny, (float)(ny - 1) * (ny - 1), kappa2, u, f);
// END(2)
