// 02/residual: calls leave memory of the host allocated
// The sums of the rows are never freed.
// INSTEAD OF: free(sums);
// END(0)
