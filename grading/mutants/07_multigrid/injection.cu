// 07/restrict: red-black sweeps leave no residual at black points
// Injection, with the right scale.
// INSTEAD OF: coarse_h2f[i * m + j] = (4 * r[k] + 2 * edges + corners) / 4; // 4 times 1/16
coarse_h2f[i * m + j] = 4 * r[k] + 0 * (edges + corners);
// END(0)
