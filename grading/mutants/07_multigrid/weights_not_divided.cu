// 07/restrict: not divided by 4
// The weights are not divided.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = 4 * r[k] + 2 * edges + corners;
// END(0)
