// 07/restrict: nine equal weights
// All nine points count alike.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = 4 * (r[k] + edges + corners) / 9;
// END(0)
