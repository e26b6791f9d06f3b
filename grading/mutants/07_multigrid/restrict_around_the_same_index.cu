// 07/restrict: around point (i, j)
// The fine indices are not doubled.
// INSTEAD OF: const int k = 2 * i * n + 2 * j;
const int k = i * n + j;
// END(0)
