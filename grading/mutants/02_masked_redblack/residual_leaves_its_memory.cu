// 02/residual: residual_norm: each of 10 calls leaves memory of the host allocated
// The sums of the rows are never freed.
// INSTEAD OF: free(sums);
// END(0)
