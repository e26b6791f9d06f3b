// 06/ssor: the forward pass alone: it is not symmetric
// The backward pass is left out: red is s·r.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, 0, r, stored{z}, z);
// END(3)
