// 06/cg: the relative residual after 1 iteration is
// r is not updated, only u is.
// INSTEAD OF: axpy_kernel<<<blocks, THREADS>>>(s->n, -alpha, q, s->r); // r = r − alpha A p
// END(2)
