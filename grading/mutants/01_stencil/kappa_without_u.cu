// 01/kappa: it equals A u with κ² instead of κ²u: the factor u is missing
// INSTEAD OF: r += kappa2 * u;
r += kappa2;
// END(4)
