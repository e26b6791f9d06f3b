// 06/pcg: a negative operator: 36864 bytes of device memory are never freed
// The way out of a solve that has failed frees nothing.
// TODO(4): like cg_solve between opening and closing, with omega and a grid function z. (about 5 lines)
double *z = device_array<double>(s->n), *p = device_array<double>(s->n), *q = device_array<double>(s->n);
const int part = iterate(s, omega, z, p, q);
if (part || s->result->status == PCG_BREAKDOWN)
  return part;
for (double *array : {z, p, q})
  CUDA_CHECK(cudaFree(array));
return part;
// END(4)
