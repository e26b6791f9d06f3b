// 06/ssor: it equals the result if the pass over black points reads r: it reads s·r
// Black points read r instead of s·r.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, stored{r}, z);
// END(3)
