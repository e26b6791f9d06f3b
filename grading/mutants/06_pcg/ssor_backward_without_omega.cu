// 06/ssor: in the pass over red points: it is not symmetric
// The backward pass has omega = 1.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, 1 / g->diagonal, r, 1, z, z);
// END(0)
