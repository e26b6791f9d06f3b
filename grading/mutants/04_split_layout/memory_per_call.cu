// 04/pack: split_pack: each call allocates or frees memory
// 04/split: gs_split_half_sweep: each call allocates or frees memory
// 04/tile: sgemm_tile: each call allocates or frees memory
// INSTEAD OF: pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
float *spare;
cudaMalloc((void **)&spare, sizeof *spare);
pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
cudaFree(spare);
// END(0)
// INSTEAD OF: half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
float *spare;
cudaMalloc((void **)&spare, sizeof *spare);
half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
cudaFree(spare);
// END(0)
// INSTEAD OF: tile_kernel<true><<<grid, TILE_THREADS>>>(p);
{}
float *spare;
cudaMalloc((void **)&spare, sizeof *spare);
if (n % FOUR == 0 && k % FOUR == 0)
  tile_kernel<true><<<grid, TILE_THREADS>>>(p);
// END(0)
// INSTEAD OF: tile_kernel<false><<<grid, TILE_THREADS>>>(p);
tile_kernel<false><<<grid, TILE_THREADS>>>(p);
cudaFree(spare);
// END(0)
