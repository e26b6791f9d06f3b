// 06/cg: bytes of device memory are never freed
// p and q of each solve are forgotten.
// INSTEAD OF: const int part = iterate(s, s->r, p, q, [] { return 0; });
return iterate(s, s->r, p, q, [] { return 0; });
const int part = 0;
// END(0)
