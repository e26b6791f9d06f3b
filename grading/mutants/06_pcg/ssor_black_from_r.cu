// 06/ssor: it equals the result if the pass over black points reads r: it reads s·r
// Black points read r instead of s·r.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, s, r, z);
ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, 1, r, z);
// END(3)
