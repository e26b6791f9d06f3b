// 06/ssor: the forward pass alone: it is not symmetric
// The backward pass is left out: red is s·r.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, 0, r, 1, z, z);
// END(3)
