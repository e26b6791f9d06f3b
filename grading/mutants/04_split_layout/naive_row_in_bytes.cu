// 04/naive: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: sum = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], sum);
sum = fmaf(*(const float *)((const char *)p.a + ((row * p.k + k) << 2)), p.b[k * p.n + column], sum);
// END(0)
