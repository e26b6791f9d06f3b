// 06/cg: look at A p, alpha, and the signs
// r is updated with +alpha, like u.
// INSTEAD OF: axpy_kernel<<<blocks, THREADS>>>(s->n, -alpha, q, s->r); // r = r − alpha A p
axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, q, s->r); // r = r − alpha A p
// END(2)
