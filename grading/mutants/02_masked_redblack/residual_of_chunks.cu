// 02/residual: sectors of global memory per point
// Correct, but each thread adds neighbouring columns, so that the lanes of a warp are far apart.
// INSTEAD OF: for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
const int chunk = (nx - 2 + SUM_THREADS - 1) / SUM_THREADS, from = 1 + thread * chunk;
for (int j = from; j < min(from + chunk, nx - 1); j++) {
// END(0)
