// 04/fused_bytes: gs_fused: waits for the device 1 time in 1 call: expected none
// A wait on large grids alone.
// INSTEAD OF: fused_kernel<SWEEPS><<<dim3(strips, blocks_for(a.ny, rows)), LANES>>>(a, rows);
fused_kernel<SWEEPS><<<dim3(strips, blocks_for(a.ny, rows)), LANES>>>(a, rows);
if (a.nx > 1000)
  cudaDeviceSynchronize();
// END(0)
