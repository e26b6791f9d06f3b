// 06/ssor: it equals the result if the pass over black points reads z, where nothing is written yet: it reads s·r
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, stored{z}, z);
// END(3)
