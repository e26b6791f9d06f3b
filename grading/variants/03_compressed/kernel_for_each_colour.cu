// Style: a kernel for each colour, chosen from a table; intrinsics; cudaLaunchKernelEx.
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
(void)nx;
(void)ny;
(void)colour;
(void)h2f;
(void)u;
}
template <int COLOUR>
__global__ void half_sweep_of(const int nx, const int ny, const float *__restrict__ h2f, float *u) {
  const unsigned jh = __umul24(blockIdx.x, blockDim.x) + threadIdx.x,
                 i = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  const unsigned j = 2 * jh + ((i & 1) ^ COLOUR);
  if (i - 1 < (unsigned)(ny - 2) && j - 1 < (unsigned)(nx - 2)) {
    float *c = u + (i * nx + j);
    *c = __fmul_rn(__fadd_rn(__fadd_rn(__fadd_rn(__fadd_rn(c[-1], c[1]), c[-nx]), c[nx]), h2f[i * nx + j]),
                   0.25f);
  }
  // END(3)
  // TODO(3): launch it with launch_geometry's blocks; if that returns a part, return it. (about 6 lines)
  int b[2], g[2];
  const int part = launch_geometry(nx, ny, b, g);
  if (part != 0)
    return part;
  using kernel = void (*)(int, int, const float *, float *);
  const kernel of_colour[] = {half_sweep_of<0>, half_sweep_of<1>};
  of_colour[colour]<<<dim3(g[0], g[1]), dim3(b[0], b[1])>>>(nx, ny, h2f, u);
  return 0;
  // END(3)
  // INSTEAD OF: enum { POINTS = 4 };
  enum { POINTS = 2 };
  // END(4)
  // TODO(1): launch columns_kernel with 32 threads per block and the width that compressed.h states. (2 lines)
  cudaLaunchConfig_t c = {};
  c.gridDim = ny;
  c.blockDim = 32;
  cudaLaunchKernelEx(&c, columns_kernel, (nx + 1) / 2, colour, columns);
  return 0;
  // END(1)
