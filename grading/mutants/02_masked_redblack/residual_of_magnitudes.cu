// 02/residual: it is the sum of all |r|
// The 1-norm.
// INSTEAD OF: sum += r * r;
sum += fabs(r);
// END(0)
// INSTEAD OF: *norm = sqrt(total);
*norm = total;
// END(0)
