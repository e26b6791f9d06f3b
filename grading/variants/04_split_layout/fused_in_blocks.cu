// Style: the fused sweeps by blocks of 512 threads: a tile with a halo in shared memory; pointers indexed by
// colour, in local memory.
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

// Four points a thread, in rows that the half-sweeps before have left right.
static __device__ void tile_half_sweep(const fused_arrays &a, int first_i, int first_jh, int colour,
                                       int margin, fused_tile *tile) {
  enum { GROUPS = WIDE / FOUR };
  const int x = threadIdx.x % GROUPS * FOUR;
  for (int y = 1 + margin + threadIdx.x / GROUPS; y < TALL - 1 - margin; y += BLOCK_THREADS / GROUPS) {
    const int i = first_i + y, odd = (i + colour) & 1, j = 2 * (first_jh + x) + odd;
    if (i < 1 || i >= a.ny - 1)
      continue;
    const float(*other)[WIDE] = tile->u[!colour];
    const float fifth = other[y][odd ? min(x + FOUR, WIDE - 1) : max(x - 1, 0)];
    const float4 v = gs_four(odd, fifth, load_four(&other[y][x]), load_four(&other[y - 1][x]),
                             load_four(&other[y + 1][x]), load_four(&tile->h2f[colour][y][x]));
    float *own = &tile->u[colour][y][x];
    if (0 < j && j + 6 < a.nx - 1) {
      store_four(own, v);
    } else {
      const float values[FOUR] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int n = 0; n < FOUR; n++)
        own[n] = 0 < j + 2 * n && j + 2 * n < a.nx - 1 ? values[n] : own[n];
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
