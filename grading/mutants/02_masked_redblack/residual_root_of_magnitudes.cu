// 02/residual: it is the square root of the sum of all |r|
// INSTEAD OF: sum += r * r;
sum += fabs(r);
// END(0)
