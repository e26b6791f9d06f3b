// 06/cg: look at the sign in the update of r
// r is updated with +alpha, like u.
// INSTEAD OF: axpy_kernel<<<blocks, THREADS>>>(s->n, -alpha, q, s->r); // r = r − alpha A p
axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, q, s->r); // r = r − alpha A p
// END(2)
