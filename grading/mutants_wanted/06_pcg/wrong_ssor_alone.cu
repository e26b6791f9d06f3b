// 06/ssor: the forward pass alone: not symmetric
// SSOR makes its first pass alone. The solver is right: 06/pcg should be skipped, and gives today advice
// about A p.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, 0.0, r, stored{z}, z);
// END(0)
