// 04/naive: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: sum = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], sum);
sum = fmaf(p.a[row * p.k + k], *(const float *)((const char *)p.b + ((k * p.n + column) << 2)), sum);
// END(0)
