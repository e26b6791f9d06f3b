// 01/kappa: with −κ²u instead of +κ²u
// INSTEAD OF: r += kappa2 * u;
r -= kappa2 * u;
// END(4)
