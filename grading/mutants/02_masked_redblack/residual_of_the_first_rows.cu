// 02/residual: it crashed
// The host keeps an array with room for the rows of the first call.
// INSTEAD OF: double *sums = (double *)malloc(rows * sizeof *sums), total = 0;
static double *sums;
static int room;
if (!sums)
  sums = (double *)malloc(rows * sizeof *sums), room = rows;
double total = 0;
// END(0)
// INSTEAD OF: for (int row = 0; row < rows; row++)
for (int row = 0; row < room; row++)
// END(0)
// INSTEAD OF: free(sums);
// END(0)
