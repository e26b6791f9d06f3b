// 06/cg_model: is A p computed twice, or the residual in each iteration?
// A p is computed twice in each iteration.
// INSTEAD OF: multiply(s, p, q);
multiply(s, p, q);
multiply(s, p, q);
// END(0)
