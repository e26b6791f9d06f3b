// 01/kappa: κ⁴ instead of κ²: the argument kappa2 is κ² already
// The parameter is squared once more.
// INSTEAD OF: r += kappa2 * u;
r += kappa2 * kappa2 * u;
// END(4)
