// 01/tiled: it equals A u of a grid with nx rows of ny points: are nx and ny exchanged in a call?
// INSTEAD OF: tiled_kernel<<<grid, block>>>(mx, my, inv_h2, kappa2, u, f);
tiled_kernel<<<grid, block>>>(my, mx, inv_h2, kappa2, u, f);
// END(3)
