// 06/ssor: it equals the result if the pass over red points reads s·z: it reads z
// Red points read s·z instead of z.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, scaled{s, z}, z);
// END(3)
