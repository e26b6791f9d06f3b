// 02/residual: it is the norm over the columns of threads 0 to 63
// INSTEAD OF: for (int width = SUM_THREADS / 2; width > 0; width /= 2) {
for (int width = SUM_THREADS / 4; width > 0; width /= 2) {
// END(0)
