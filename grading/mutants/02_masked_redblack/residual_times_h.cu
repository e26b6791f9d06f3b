// 02/residual: it is h times the norm
// A discrete L2 norm. On 3 x 3 points it is half of the norm.
// INSTEAD OF: *norm = sqrt(total);
*norm = sqrt(total / inv_h2);
// END(0)
