// 02/residual: residual_norm, nx 37, ny 53: 10 of the last 10 calls leave memory of the host allocated
// INSTEAD OF: free(sums);
// END(3)
