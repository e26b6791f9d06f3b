// 07/restrict: the corners have 1
// The corners are missing.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + 0 * corners) / 4;
// END(0)
