// 02/masked: u and f random, times 2⁸⁰ or more
// A guard from the search for an error: values that look as if the iteration diverged are not stored.
// clang-format off
// INSTEAD OF: if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour && fabsf(gs_point(nx, i * nx + j, h2f, u)) < 1e6f)
// END(0)
