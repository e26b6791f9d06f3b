// 03/sweep: is an index, a number of points or a number of bytes too large for its type?
// An int holds the number of a point, not the number of its byte.
// INSTEAD OF: u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
*(float *)((char *)u + (k << 2)) = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(0)
