// 02/residual: does a loop never end?
// INSTEAD OF: for (int width = SUM_THREADS / 2; width > 0; width /= 2) {
for (int width = SUM_THREADS / 2; width >= 0; width /= 2) {
// END(3)
