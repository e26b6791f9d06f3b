// 05/study: it is 0: does each history get sweeps + 1 residuals
// The last sweep of each factor, and its residual, are missing.
// INSTEAD OF: for (int m = 1; m <= sweep_count && !part; m++) {
for (int m = 1; m < sweep_count && !part; m++) {
// END(0)
