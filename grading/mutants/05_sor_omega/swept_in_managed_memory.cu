// 05/sweep: bytes of managed or mapped memory
// A kernel copies u and h2f to managed memory, where the host sweeps; a kernel takes u back. The host never waits.
// clang-format off
// INSTEAD OF: enum { SWEEP_X = 32, SWEEP_Y = 8 };
enum { SWEEP_X = 32, SWEEP_Y = 8 };

template <class Real>
__global__ void move_kernel(int n, const Real *first, const Real *second, Real *to, Real *to_second) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  if (k < n)
    to[k] = first[k], to_second[k] = second[k];
}
// END(0)
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
const int n = sor_elements(g), half = n / 2;
const Real keep = (Real)(1 - omega), factor = (Real)omega, inv = (Real)g->inv_diagonal;
Real *all;
CUDA_CHECK(cudaMallocManaged((void **)&all, 2 * (size_t)n * sizeof *all));
move_kernel<Real><<<blocks_for(n, 256), 256>>>(n, u, h2f, all, all + n);
for (int i = 1; i < g->ny - 1; i++)
  for (int jh = 0; jh < g->pitch; jh++) {
    const int odd = (i + colour) & 1, j = 2 * jh + odd, k = i * g->pitch + jh;
    const Real *o = all + (1 - colour) * half + k, sum = ((o[odd - 1] + o[odd]) + o[-g->pitch]) + o[g->pitch];
    Real *own = all + colour * half + k;
    if (0 < j && j < g->nx - 1)
      *own = keep * *own + factor * ((sum + all[n + colour * half + k]) * inv);
  }
move_kernel<Real><<<blocks_for(n, 256), 256>>>(n, all, all, u, all + n);
CUDA_CHECK(cudaFree(all));
return 0;
// END(1)
