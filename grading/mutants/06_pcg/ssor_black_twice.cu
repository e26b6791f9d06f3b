// 06/ssor: it equals the result with a third pass, over black points again
// A third pass computes the black points anew from z.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, stored{z}, z);
// END(0)
