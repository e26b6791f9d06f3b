// 02/residual: has memory that is kept the size of an earlier call
// The host's buffer has the size that the first call needs.
// INSTEAD OF: double *sums = (double *)malloc(rows * sizeof *sums), total = 0;
static double *sums = (double *)malloc(rows * sizeof *sums);
double total = 0;
// END(0)
// INSTEAD OF: free(sums);

// END(0)
