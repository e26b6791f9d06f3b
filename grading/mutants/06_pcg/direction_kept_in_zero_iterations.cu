// 06/pcg: bytes of device memory are never freed
// A solve that ends before its first iteration, or in it, frees only a part of its arrays.
// TODO(4): like cg_solve between opening and closing, with omega and a grid function z. (about 5 lines)
double *z = device_array<double>(s->n), *p = device_array<double>(s->n), *q = device_array<double>(s->n);
const int part = iterate(s, omega, z, p, q);
CUDA_CHECK(cudaFree(z));
CUDA_CHECK(cudaFree(q));
if (s->result->iterations > 0)
  CUDA_CHECK(cudaFree(p));
return part;
// END(4)
