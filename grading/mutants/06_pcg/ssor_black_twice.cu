// 06/ssor: it equals the result with a third pass, over black points again
// A third pass computes the black points anew from z.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, 1, z, z);
// END(0)
