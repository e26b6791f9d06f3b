// 07/restrict: half weighting
// Half weighting.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = (4 * r[k] + edges + 0 * corners) / 2;
// END(0)
