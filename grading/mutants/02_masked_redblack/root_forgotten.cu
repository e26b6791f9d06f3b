// 02/residual: the square root is missing
// The sum of squares is not the norm.
// INSTEAD OF: *norm = sqrt(total);
*norm = total;
// END(0)
