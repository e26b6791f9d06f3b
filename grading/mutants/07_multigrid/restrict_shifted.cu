// 07/restrict: around point (2i + 1, 2j + 1)
// The coarse points are taken at odd points.
// INSTEAD OF: const int k = 2 * i * n + 2 * j;
const int k = (2 * i + 1) * n + 2 * j + 1;
// END(0)
