// 01/naive: are inv_h2 and kappa2 exchanged in a call?
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
naive_kernel<<<grid, block>>>(nx, ny, kappa2, inv_h2, u, f);
// END(2)
