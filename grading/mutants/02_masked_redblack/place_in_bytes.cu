// 02/masked: is an index, a number of points or a number of bytes too large for its type?
// An int holds the number of a point, not the number of its byte.
// INSTEAD OF: if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
const int place = (i * nx + j) << 2;
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
  *(float *)((char *)u + place) = gs_point(nx, i *nx + j, h2f, u);
if (false)
// END(0)
