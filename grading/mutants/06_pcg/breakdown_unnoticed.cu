// 06/cg: a negative operator
// p·Ap is divided by, whatever its sign.
// INSTEAD OF: if (part || !is_positive(s, curvature))
if (part)
// END(2)
