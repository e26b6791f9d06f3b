// 07/restrict: edges and corners exchanged
// Edges have 1 and corners 2.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = (4 * r[k] + edges + 2 * corners) / 4;
// END(0)
