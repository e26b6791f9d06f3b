// 06/fused: 3.0 launches per iteration
// A kernel reads r once more for r·r.
// INSTEAD OF: update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
dot_kernel<<<1, THREADS, 0, stream>>>(Operator::COLOURS *a.g.ny *a.g.pitch, l.r, l.r, l.partial);
// END(5)
