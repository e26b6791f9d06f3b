// 04/pack: is the pitch that of the call?
// 04/split: is the pitch that of the call?
// The pitch is computed from nx, whatever the call says.
// INSTEAD OF: pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
pack_kernel<<<grid, block>>>(nx, ny, ((nx + 1) / 2 + 31) / 32 * 32, u, red, black);
// END(1)
// INSTEAD OF: half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
half_sweep_kernel<<<grid, block>>>(nx, ny, ((nx + 1) / 2 + 31) / 32 * 32, colour, h2f, other, u);
// END(1)
