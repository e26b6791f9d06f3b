// 06/ssor: no red point is written: is the pass over red points missing?
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
// END(0)
