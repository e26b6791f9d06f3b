// 02/residual: is the residual of a point computed more than once?
// The residual is computed anew for each of three threads that share its square.
// clang-format off
// INSTEAD OF: for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
for (int n = 0; n < 3; n++)
  for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
// END(3)
// INSTEAD OF: sum += r * r;
    sum += n == j % 3 ? r * r : 0 * r;
// END(3)
