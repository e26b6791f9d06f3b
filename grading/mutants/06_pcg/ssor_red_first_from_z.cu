// 06/ssor: the result of red before black, where z is not written yet: black points come first
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, s, r, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
// END(3)
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, s, r, z);
// END(3)
