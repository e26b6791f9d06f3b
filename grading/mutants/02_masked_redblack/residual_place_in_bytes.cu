// 02/residual: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
const float *point = (const float *)((const char *)u + (k << 2));
const double neighbours = (double)point[-1] + point[1] + point[-nx] + point[nx];
// END(0)
