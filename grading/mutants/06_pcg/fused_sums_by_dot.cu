// 06/fused: 3.0 launches per iteration
// A kernel reads r once more for r·r.
// INSTEAD OF: update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
dot_kernel<<<1, THREADS, 0, stream>>>((REDUCED ? 1 : 2) * g->ny * g->pitch, l.r, l.r, l.partial);
// END(5)
