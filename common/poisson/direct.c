/* The exact discrete solution: discrete sines are eigenvectors of the operator, so transforming both
 * directions, dividing by the eigenvalues and transforming back inverts it. */
#include "allocate.h"
#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* S[p-1][j-1] = sin(πpj/(n+1)) for 1 <= p, j <= n; S S = (n+1)/2 I. */
static double *sine_matrix(int n) {
  double *s = allocate_zeroed((size_t)n, (size_t)n * sizeof *s);
  for (long p = 1; p <= n; p++)
    for (long j = 1; j <= n; j++)
      s[(p - 1) * n + (j - 1)] = sin(M_PI * (double)(p * j % (2 * (n + 1))) / (n + 1));
  return s;
}

/* c = a b; a is rows x inner, b inner x columns. */
static void multiply(int rows, int inner, int columns, const double *a, const double *b, double *c) {
  memset(c, 0, (size_t)rows * (size_t)columns * sizeof *c);
  for (int i = 0; i < rows; i++, c += columns)
    for (int k = 0; k < inner; k++, a++)
      for (int j = 0; j < columns; j++)
        c[j] += *a * b[(size_t)k * (size_t)columns + (size_t)j];
}

/* v = S_y v S_x */
static void transform(int mx, int my, const double *sx, const double *sy, double *v, double *work) {
  multiply(my, mx, mx, v, sx, work);
  multiply(my, my, mx, sy, work, v);
}

static void divide_by_eigenvalues(struct grid g, double kappa, double *v) {
  double scale = 4.0 / ((double)(g.nx - 1) * (g.ny - 1));
  for (int q = 1; q < g.ny - 1; q++)
    for (int p = 1; p < g.nx - 1; p++)
      *v++ *= scale / reference_eigenvalue(g, kappa, p, q);
}

static size_t row_bytes(struct grid g) { return (size_t)(g.nx - 2) * sizeof(double); }

void reference_solve_direct(struct grid g, double kappa, const double *f, double *u) {
  int mx = g.nx - 2, my = g.ny - 2;
  double *sx = sine_matrix(mx), *sy = sine_matrix(my);
  double *v = allocate_zeroed(grid_interior_points(g), sizeof *v);
  double *work = allocate_zeroed(grid_interior_points(g), sizeof *work);
  for (int i = 1; i <= my; i++)
    memcpy(v + (size_t)(i - 1) * (size_t)mx, f + grid_index(g, i, 1), row_bytes(g));
  transform(mx, my, sx, sy, v, work);
  divide_by_eigenvalues(g, kappa, v);
  transform(mx, my, sx, sy, v, work);
  memset(u, 0, grid_points(g) * sizeof *u);
  for (int i = 1; i <= my; i++)
    memcpy(u + grid_index(g, i, 1), v + (size_t)(i - 1) * (size_t)mx, row_bytes(g));
  free(sx);
  free(sy);
  free(v);
  free(work);
}
