// 05/sequential: it equals sweeps that alternate between ascending and descending i
// Every second sweep goes backward.
// INSTEAD OF: for (int i = 0; i < n; i++) {
for (int q = 0; q < n; q++) {
  const int i = sweep % 2 ? n - 1 - q : q;
// END(0)
