// 06/cg: look at A p, alpha, and the signs
// 06/bits: --limit 300
// 06/study: CG: expected 51 iterations, got 200
// r is updated with +alpha, like u.
// INSTEAD OF: axpy_kernel<<<blocks, THREADS>>>(s->n, -alpha, q, s->r); // r = r − alpha A p
axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, q, s->r); // r = r − alpha A p
// END(2)
