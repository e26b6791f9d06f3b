// 02/residual: it is the norm with column nx − 1, which is boundary
// INSTEAD OF: for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
for (int j = 1 + thread; j < nx; j += SUM_THREADS) {
// END(0)
