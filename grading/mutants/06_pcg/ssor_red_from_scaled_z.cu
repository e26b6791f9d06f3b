// 06/ssor: it equals the result if the pass over red points reads s·z: it reads z
// Red points read s·z instead of z.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, s, z, z);
// END(3)
