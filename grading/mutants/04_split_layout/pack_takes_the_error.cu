// 04/pack: split_pack: its launch fails, and the program continued
// INSTEAD OF: pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
cudaGetLastError();
// END(1)
