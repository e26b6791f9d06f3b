// 01/tiled: is an index, a number of points or a number of bytes too large for its type?
// Halves of points are counted in 32 bits, and the place of a large one wraps round: the kernel reads other points.
// INSTEAD OF: patch[row][column] = stored ? u[i * mx + j] : 0;
const unsigned place = (unsigned)(i * mx + j) * 8 / 8;
patch[row][column] = stored ? u[place] : 0;
// END(0)
