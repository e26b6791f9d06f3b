// 05/matrix: jacobi_radius_csr, in several calls: exit status 1
// A list of the estimates that is never freed.
// INSTEAD OF: double *x = device_array<double>(rows), *y = device_array<double>(rows);
double *x = device_array<double>(rows), *y = device_array<double>(rows),
       *list = (double *)malloc(8 * (rows + 1));
list[rows] = rows;
*result = {SOR_LIMIT, 0, list[rows]};
// END(3)
