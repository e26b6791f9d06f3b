// 06/cg: multiply by control.matrix if it is not NULL
// The product without a matrix gives the same values.
// INSTEAD OF: if (s->control.matrix)
if (false)
// END(0)
