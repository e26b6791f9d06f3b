// 06/ssor: the forward pass alone: it is not symmetric
// 06/pcg: counts when 06/ssor passes
// SSOR makes its first pass alone. The solver is right.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, 0.0, r, stored{z}, z);
// END(0)
