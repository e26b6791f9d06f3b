// 05/sequential: sweeps that leave out the last unknown
// INSTEAD OF: for (int i = 0; i < n; i++) {
for (int i = 0; i < n - 1; i++) {
// END(0)
