// 06/fused: the relative residual after 2 iterations is
// alpha uses the previous r·r: rho is set only at the start of the loop.
// INSTEAD OF: s->rho = square;
// END(5)
