// 07/restrict: only interior points are computed
// As many threads as the fine level has rows, but the row of the fine level is used.
// INSTEAD OF: const int m = n / 2 + 1;
const int m = n / 2;
// END(0)
