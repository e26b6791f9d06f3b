// Style: blocks of 16 × 16 for the naive kernel, as the handout suggests; a tile of 64 × 8; CSR by a lambda.
// TODO(1): fill the three arrays, row by row. (about 20 lines)
int *start = row_start;
int entries = 0;
const auto add = [&](int k, double x) { column[entries] = k, value[entries] = x, entries++; };
for (int k = 0; k < nx * ny; k++) {
  const int i = k / nx, j = k % nx;
  *start++ = entries;
  if (i > 0 && i + 1 < ny && j > 0 && j + 1 < nx) {
    add(k - nx, -inv_h2);
    add(k - 1, -inv_h2);
    add(k, 4 * inv_h2 + kappa2);
    add(k + 1, -inv_h2);
    add(k + nx, -inv_h2);
  } else {
    add(k, 1);
  }
}
*start = entries;
return 0;
// END(1)
// INSTEAD OF: enum { NAIVE_X = 32, NAIVE_Y = 8 };
enum { NAIVE_X = 16, NAIVE_Y = 16 };
// END(0)
// INSTEAD OF: enum { TILE_X = 32, TILE_Y = 8, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2 };
enum { TILE_X = 64, TILE_Y = 8, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2 };
// END(0)
