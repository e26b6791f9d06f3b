// 04/pack: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: const float even = j < nx ? u[i * nx + j] : 0;
const float even = j < nx ? *(const float *)((const char *)u + ((i * nx + j) << 2)) : 0;
// END(0)
