// 06/fused: the host waits for the device
// A stretch is one iteration, and the host waits for it before the next.
// WITH HEADERS
// INSTEAD OF: loop l = {across, down, across * down * colours, 1 / s->g->diagonal, u, r};
s->control.check_every = 1;
loop l = {across, down, across *down *colours, 1 / s->g->diagonal, u, r};
// END(0)
// INSTEAD OF: view_queue(&views[n % VIEWS], l, stream);
view_queue(&views[n % VIEWS], l, stream);
CUDA_CHECK(cudaStreamSynchronize(stream));
// END(0)
