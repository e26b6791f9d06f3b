// 06/ssor: it equals the result if the pass over red points reads r: it reads z
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, r, z);
// END(0)
