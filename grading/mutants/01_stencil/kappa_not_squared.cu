// 01/kappa: with κ instead of κ²
// The parameter is κ² already: someone takes the root of it.
// TODO(4): add the term with kappa2. (1 line)
r += sqrtf(kappa2) * u;
// END(4)
