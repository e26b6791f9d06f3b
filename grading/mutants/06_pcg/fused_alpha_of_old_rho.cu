// 06/fused: the relative residual after 2 iterations is
// alpha is made of the r·r before: rho is set only where the loop is opened.
// INSTEAD OF: s->rho = square;
// END(5)
