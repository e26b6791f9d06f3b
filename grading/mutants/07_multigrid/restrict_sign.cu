// 07/restrict: minus the right one
// The sign is turned.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = -(4 * r[k] + 2 * edges + corners) / 4;
// END(0)
