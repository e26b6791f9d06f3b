// 06/fused: the host waits for the device
// A stretch is one iteration, and the host waits for it before the next.
// INSTEAD OF: loop l = {tiles_of(s->g, Operator::COLOURS), u, r, device_array<double>(n), device_array<double>(n)};
s->control.check_every = 1;
loop l = {tiles_of(s->g, Operator::COLOURS), u, r, device_array<double>(n), device_array<double>(n)};
// END(0)
// INSTEAD OF: view_queue(&views[n % VIEWS], l, stream);
view_queue(&views[n % VIEWS], l, stream);
CUDA_CHECK(cudaStreamSynchronize(stream));
// END(0)
