// 04/pack: streams, events or graphs in 3 calls are never destroyed
// 04/split: streams, events or graphs in
// 04/float4: arrays of pinned memory in
// 04/fused: streams, events or graphs in
// Packing and each call of a sweep leave something on the host's side.
// INSTEAD OF: pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
cudaEvent_t done;
cudaEventCreate(&done);
pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
// END(0)
// INSTEAD OF: half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
cudaEvent_t done;
cudaEventCreate(&done);
half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
// END(0)
// INSTEAD OF: float4_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
float *spare;
cudaMallocHost((void **)&spare, sizeof *spare);
float4_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
// END(0)
// INSTEAD OF: launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
cudaStream_t stream;
cudaStreamCreate(&stream);
launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
// END(0)
