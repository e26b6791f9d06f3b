#include "problem.h"
#include "random.h"
#include "reference.h"
#include <math.h>
#include <string.h>

/* sin(πk/n), the argument reduced exactly. */
static double sine(long k, int n) { return sin(M_PI * (double)(k % (2L * n)) / n); }

static double eigenfunction(const struct problem *problem, struct grid g, int i, int j) {
  return sine((long)problem->p * j, g.nx - 1) * sine((long)problem->q * i, g.ny - 1);
}

/* The manufactured u = a(x) b(y): a = x(1−x)eˣ, a″ = −x(x+3)eˣ; b = y(H−y)e²ʸ. */
static double a(double x) { return x * (1 - x) * exp(x); }
static double a_second(double x) { return -x * (x + 3) * exp(x); }
static double b(double y, double height) { return y * (height - y) * exp(2 * y); }
static double b_second(double y, double height) {
  return (4 * y * (height - y) + 4 * (height - 2 * y) - 2) * exp(2 * y);
}

static double manufactured_rhs(double kappa, struct grid g, int i, int j) {
  double x = j * g.h, y = i * g.h, height = (g.ny - 1) * g.h;
  return -a_second(x) * b(y, height) - a(x) * b_second(y, height) + kappa * kappa * a(x) * b(y, height);
}

void problem_rhs(const struct problem *problem, struct grid g, double *f) {
  struct random random = random_seed(problem->seed);
  memset(f, 0, grid_points(g) * sizeof *f);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++) {
      double *value = &f[grid_index(g, i, j)];
      switch (problem->kind) {
      case PROBLEM_CONSTANT:
        *value = 1;
        break;
      case PROBLEM_EIGEN:
        *value =
            reference_eigenvalue(g, problem->kappa, problem->p, problem->q) * eigenfunction(problem, g, i, j);
        break;
      case PROBLEM_MANUFACTURED:
        *value = manufactured_rhs(problem->kappa, g, i, j);
        break;
      case PROBLEM_RANDOM:
        *value = random_double(&random, -1, 1);
        break;
      }
    }
}

static void solve_directly(const struct problem *problem, struct grid g, double *u) {
  problem_rhs(problem, g, u);
  reference_solve_direct(g, problem->kappa, u, u);
}

enum problem_truth problem_solution(const struct problem *problem, struct grid g, double *u) {
  if (problem->kind == PROBLEM_CONSTANT || problem->kind == PROBLEM_RANDOM) {
    solve_directly(problem, g, u);
    return PROBLEM_DISCRETE;
  }
  double height = (g.ny - 1) * g.h;
  memset(u, 0, grid_points(g) * sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      u[grid_index(g, i, j)] =
          problem->kind == PROBLEM_EIGEN ? eigenfunction(problem, g, i, j) : a(j * g.h) * b(i * g.h, height);
  return problem->kind == PROBLEM_EIGEN ? PROBLEM_DISCRETE : PROBLEM_CONTINUOUS;
}
