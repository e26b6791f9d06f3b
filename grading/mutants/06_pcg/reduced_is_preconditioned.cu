// 06/reduced: the host waits for the device
// reduced_cg is pcg_solve with ω = 1, whose iterates are the same.
// INSTEAD OF: part = loop_solve(s, reduced_operator{*g, 1 / g->diagonal}, half, u + half, s->r + half, square);
double *z = device_array<double>(s->n), *p = device_array<double>(s->n), *q = device_array<double>(s->n);
part = iterate(s, z, p, q, [=] { return ssor_apply(g, 1, s->r, z); });
for (double *array : {z, p, q})
  CUDA_CHECK(cudaFree(array));
(void)half;
// END(0)
