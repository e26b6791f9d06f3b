// 02/residual: it is the norm over the columns of threads 0, 2, 4
// INSTEAD OF: for (int width = SUM_THREADS / 2; width > 0; width /= 2) {
for (int width = SUM_THREADS / 2; width > 1; width /= 2) {
// END(0)
