// 06/cg: bytes of device memory are never freed
// p and q of each solve are forgotten.
// INSTEAD OF: part = iterate(&s, 0, s.r, p, q);
return solve_close(&s, iterate(&s, 0, s.r, p, q));
// END(0)
