// 06/ssor: in the pass over red points: it is not symmetric
// The backward pass has omega = 1.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, 1 / g->diagonal, r, stored{z}, z);
// END(0)
