// 01/kappa: the factor 1/h² belongs to the differences alone
// The term with kappa is inside the parentheses.
// TODO(2): the five-point Laplacian, in the order of operations of stencil.h. (1 line)
r = 4 * u - west - east - north - south;
// END(2)
// TODO(4): add the term with kappa2. (1 line)
r = (r + kappa2 * u) * inv_h2;
// END(4)
