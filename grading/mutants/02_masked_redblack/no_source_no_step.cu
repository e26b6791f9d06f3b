// 02/masked: u and f random, and half of them 0
// Points without a source keep their values.
// INSTEAD OF: if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour && h2f[i * nx + j] != 0)
// END(2)
