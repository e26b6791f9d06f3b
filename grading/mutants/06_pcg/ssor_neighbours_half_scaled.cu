// 06/ssor: in the pass over black points, u(i−1, j) has the factor 0.375 instead of 0.0703125
// Two of the four neighbours lack the factor, which is 1 everywhere else.
// INSTEAD OF: sum = ((west + east) + factor * x[k - g.pitch]) + factor * x[k + g.pitch];
sum = ((west + east) + x[k - g.pitch]) + x[k + g.pitch];
// END(2)
