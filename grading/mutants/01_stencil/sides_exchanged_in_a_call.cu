// 01/naive: are nx and ny exchanged in a call?
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
naive_kernel<<<grid, block>>>(ny, nx, inv_h2, kappa2, u, f);
// END(2)
