// 05/sequential: sweeps that leave out unknown 0
// The unknowns are counted from 1.
// INSTEAD OF: for (int i = 0; i < n; i++) {
for (int i = 1; i < n; i++) {
// END(0)
