// 07/prolong: rows 24 to 31
// There are threads for as many points as the coarse level has.
// INSTEAD OF: prolong_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, n / 2 + 1, coarse_u, u);
prolong_kernel<<<grid_for(n / 2 + 1), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, n / 2 + 1, coarse_u, u);
// END(0)
