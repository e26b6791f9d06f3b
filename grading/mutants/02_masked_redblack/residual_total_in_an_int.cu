// 02/residual: it is the root of a whole number: is a sum or a term an int?
// INSTEAD OF: double *sums = (double *)malloc(rows * sizeof *sums), total = 0;
double *sums = (double *)malloc(rows * sizeof *sums);
int total = 0;
// END(0)
// INSTEAD OF: *norm = sqrt(total);
*norm = sqrt((double)total);
// END(0)
