// 02/residual: it is half of the norm
// On 3 x 3 points, h is a half, too.
// INSTEAD OF: *norm = sqrt(total);
*norm = sqrt(total) / 2;
// END(0)
