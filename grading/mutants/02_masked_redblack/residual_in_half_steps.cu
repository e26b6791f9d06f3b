// 02/residual: columns from 65 on count twice
// INSTEAD OF: for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS / 2) {
// END(0)
