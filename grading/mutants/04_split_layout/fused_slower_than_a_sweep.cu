// 04/fused_bandwidth: the issue of instructions limits it, busy for
// Tiles in shared memory, point by point: T sweeps at once are hardly faster than T sweeps one by one.
// TODO(6): a lane's four places, the rows that it stores, and its boundary points. (about 28 lines)
// END(6)
// TODO(6): request row i of h2f and u by cp.async; each lane copies for itself. (about 20 lines)
// END(6)
// TODO(6): one step: every half-sweep updates its row. (about 30 lines)
// END(6)
// TODO(6): the kernel walks down its rows, two steps per turn. (about 30 lines)
// END(6)
// TODO(6): as many blocks as the device holds at once. (about 14 lines)
// END(6)
// TODO(6): the arrays; for T sweeps, the lanes of the halo, the places of a warp and the rows in use. (about 29 lines)
// A block brings WIDE places of each colour and TALL rows, sweeps them in shared memory, and stores what lies
// farther from the tile's edge than the sweeps reach.
enum { WIDE = 64, TALL = 80, BLOCK_THREADS = 512 };
struct fused_tile {
  float u[2][TALL][WIDE], h2f[2][TALL][WIDE];
};

struct fused_arrays {
  int nx, ny, pitch;
  const float *h2f[2], *u[2];
  float *out[2];
};

static __device__ void tile_fetch(const fused_arrays &a, int first_i, int first_jh, fused_tile *tile) {
  for (int n = threadIdx.x; n < 2 * TALL * WIDE / FOUR; n += blockDim.x) {
    const int colour = n / (TALL * WIDE / FOUR), y = n / (WIDE / FOUR) % TALL, x = n % (WIDE / FOUR) * FOUR;
    const int k = min(max(first_i + y, 0), a.ny - 1) * a.pitch + min(max(first_jh + x, 0), a.pitch - FOUR);
    store_four(&tile->u[colour][y][x], load_four(a.u[colour] + k));
    store_four(&tile->h2f[colour][y][x], load_four(a.h2f[colour] + k));
  }
}

static __device__ void tile_half_sweep(const fused_arrays &a, int first_i, int first_jh, int colour,
                                       int margin, fused_tile *tile) {
  for (int y = 1 + margin + threadIdx.x / WIDE; y < TALL - 1 - margin; y += BLOCK_THREADS / WIDE) {
    const int x = threadIdx.x % WIDE, i = first_i + y, odd = (i + colour) & 1, j = 2 * (first_jh + x) + odd;
    if (0 < x && x < WIDE - 1 && 0 < i && i < a.ny - 1 && 0 < j && j < a.nx - 1) {
      const float(*other)[WIDE] = tile->u[!colour];
      const float *centre = &other[y][x + odd - 1];
      tile->u[colour][y][x] =
          gs_point(centre[0], centre[1], other[y - 1][x], other[y + 1][x], tile->h2f[colour][y][x]);
    }
  }
}

__global__ void __launch_bounds__(BLOCK_THREADS) fused_kernel(fused_arrays a, int sweeps) {
  extern __shared__ float4 space[];
  fused_tile *tile = reinterpret_cast<fused_tile *>(space);
  const int halo = 2 * sweeps,
            side = (sweeps + FOUR) / FOUR * FOUR; // rows and places that go wrong at an end
  const int first_i = blockIdx.y * (TALL - 2 * halo) - halo, first_jh = blockIdx.x * (WIDE - 2 * side) - side;
  tile_fetch(a, first_i, first_jh, tile);
  for (int h = 0; h < 2 * sweeps; h++) {
    __syncthreads();
    tile_half_sweep(a, first_i, first_jh, h % 2, h, tile);
  }
  __syncthreads();
  for (int n = threadIdx.x; n < 2 * TALL * WIDE / FOUR; n += blockDim.x) {
    const int colour = n / (TALL * WIDE / FOUR), y = n / (WIDE / FOUR) % TALL, x = n % (WIDE / FOUR) * FOUR;
    const int i = first_i + y, jh = first_jh + x;
    if (halo <= y && y < TALL - halo && side <= x && x < WIDE - side && i < a.ny && jh < a.pitch)
      store_four(a.out[colour] + i * a.pitch + jh, load_four(&tile->u[colour][y][x]));
  }
}
// END(6)
// TODO(6): launch it; the number of sweeps is a template parameter. (about 6 lines)
const int halo = 2 * sweeps, side = (sweeps + FOUR) / FOUR * FOUR;
const dim3 grid(blocks_for(pitch, WIDE - 2 * side), blocks_for(ny, TALL - 2 * halo));
const fused_arrays a = {nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}};
cudaFuncSetAttribute(fused_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(fused_tile));
fused_kernel<<<grid, BLOCK_THREADS, sizeof(fused_tile)>>>(a, sweeps);
return 0;
// END(6)
