// 01/kappa: with κ instead of κ²
// The parameter is already κ²: this code takes its root.
// TODO(4): add the term with kappa2. (1 line)
r += sqrtf(kappa2) * u;
// END(4)
