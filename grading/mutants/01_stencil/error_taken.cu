// 01/tiled: apply_tiled: its launch fails, and the program continued: expected that the caller sees the error
// cudaGetLastError clears the error that the caller asks for.
// INSTEAD OF: tiled_kernel<<<grid, block>>>(mx, my, inv_h2, kappa2, u, f);
tiled_kernel<<<grid, block>>>(mx, my, inv_h2, kappa2, u, f);
cudaGetLastError();
// END(0)
