// Style: a cooperative kernel does a stretch of sweeps, with barriers of the grid between half-sweeps.
// INSTEAD OF: // count sweeps, red then black.
template <class Real>
__global__ void stretch_kernel(sor_grid g, Real keep, Real omega, int count, const Real *h2f, Real *u) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  constexpr int WIDTH = pack<Real>::WIDTH;
  const int places = g.pitch / WIDTH, all = (g.ny - 2) * places;
  const Real inv_diagonal = (Real)g.inv_diagonal;
  for (int n = 0; n < 2 * count; n++) {
    for (int k = (int)grid.thread_rank(); k < all; k += (int)grid.size()) {
      const int i = 1 + k / places, jh = k % places * WIDTH, colour = n % 2;
      Real *own = u + index_of(g, colour, i, jh);
      const pack<Real> sum = sums(g, colour, i, jh, h2f, u);
      pack<Real> value = load(own);
      for (int m = 0; m < WIDTH; m++)
        value.at[m] = is_unknown(g, colour, i, jh + m)
                          ? keep * value.at[m] + omega * (sum.at[m] * inv_diagonal)
                          : value.at[m];
      store(own, value);
    }
    grid.sync();
  }
}

// count sweeps, red then black.
// END(0)
// INSTEAD OF: for (int n = 0; n < 2 * count; n++)
int resident = 0, processors = 0;
enum { THREADS = 256 };
CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, stretch_kernel<Real>, THREADS, 0));
CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
const int wanted = blocks_for((g->ny - 2) * (g->pitch / pack<Real>::WIDTH), THREADS);
Real keep = (Real)(1 - omega), factor = (Real)omega;
sor_grid of_kernel = *g;
void *arguments[] = {&of_kernel, &keep, &factor, &count, &h2f, &u};
if (count > 0)
  CUDA_CHECK(cudaLaunchCooperativeKernel((void *)stretch_kernel<Real>,
                                         wanted < resident * processors ? wanted : resident * processors,
                                         THREADS, arguments));
for (int n = 2 * count; n < 2 * count; n++) // none is left
// END(0)
// INSTEAD OF: #include <math.h>
#include <cooperative_groups.h>
#include <math.h>
// END(0)
