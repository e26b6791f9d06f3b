// 06/pcg: breakdown after 0 iterations
// The preconditioner is applied to the iterate.
// TODO(4): iterate, with ssor_apply. (about 5 lines)
double *z = device_array<double>(s->n), *p = device_array<double>(s->n), *q = device_array<double>(s->n);
const int part = iterate(s, z, p, q, [=] { return ssor_apply(g, omega, s->u, z); });
for (double *array : {z, p, q})
  CUDA_CHECK(cudaFree(array));
return part;
// END(4)
