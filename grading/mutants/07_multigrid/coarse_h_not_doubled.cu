// 07/restrict: h doubles on the coarser level
// The right-hand side lacks the factor 4 of the coarser h².
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 16;
// END(0)
