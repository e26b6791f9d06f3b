// 02/residual: it is the norm without column nx − 2
// INSTEAD OF: for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
for (int j = 1 + thread; j < nx - 2; j += SUM_THREADS) {
// END(0)
