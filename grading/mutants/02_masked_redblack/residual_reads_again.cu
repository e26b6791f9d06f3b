// 02/residual: loads and stores of global memory for each 32 points: expected at most 24
// clang-format off
// Each value is read forty times more; most loads hit the first-level cache, but take their time.
// INSTEAD OF: const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
float again = 0;
for (int n = 0; n < 40; n++)
  again = *(const volatile float *)&u[k];
const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + (again > 1e38f ? again : 0);
// END(3)
