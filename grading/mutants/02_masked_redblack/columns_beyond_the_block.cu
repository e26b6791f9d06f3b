// 02/residual: the first 128 columns
// One column a thread: a row longer than the block is cut off.
// INSTEAD OF: for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
if (int j = 1 + thread; j < nx - 1) {
// END(0)
