// 02/residual: residual_norm: 7 of the last 7 calls leave memory of the host allocated
// The sums of the rows are never freed.
// INSTEAD OF: free(sums);
// END(0)
