// 02/jacobi: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: next[i * nx + j] = gs_point(nx, i * nx + j, h2f, u);
*(float *)((char *)next + ((i * nx + j) << 2)) = gs_point(nx, i *nx + j, h2f, u);
// END(0)
