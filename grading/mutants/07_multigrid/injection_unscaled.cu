// 07/restrict: the factor 4 is missing, too
// Injection of r.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = r[k] + 0 * (edges + corners);
// END(0)
