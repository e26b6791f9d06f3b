// Style: cuda::pipeline and cuda::memcpy_async of each thread.
// clang-format off
// INSTEAD OF: #include <cuda_pipeline.h>
#include <cuda_pipeline.h>
#include <cuda/pipeline>
// END(5)
// TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 16 lines)
  __shared__ tiles tiles[2];
  float sums[8][8] = {};
  auto pipe = cuda::make_pipeline(); // of this thread
  const int row = b_row(), column = blockIdx.x * TILE + b_column();
  const auto fetch = [&](int k, int slot) {
    pipe.producer_acquire();
    float *to = &tiles[slot].b[row][b_column()];
    if (ALIGNED) {
      if (k + row < p.k && column < p.n)
        cuda::memcpy_async(to, p.b + (k + row) * p.n + column, cuda::aligned_size_t<16>(16), pipe);
      else
        store_four(to, float4{});
    } else {
      for (int n = 0; n < FOUR; n++)
        if (k + row < p.k && column + n < p.n)
          cuda::memcpy_async(to + n, p.b + (k + row) * p.n + column + n, cuda::aligned_size_t<4>(4), pipe);
        else
          to[n] = 0;
    }
    pipe.producer_commit();
  };
  fetch(0, 0);
  put_a(tiles[0], load_a<ALIGNED>(p, 0));
  pipe.consumer_wait();
  __syncthreads();
  for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
    fetch(k + TILE_K, !now);
    const float4 a = load_a<ALIGNED>(p, k + TILE_K);
    calculate(tiles[now], sums);
    put_a(tiles[!now], a);
    pipe.consumer_release();
    pipe.consumer_wait();
    __syncthreads();
  }
  pipe.consumer_release();
  store_sums<ALIGNED>(p, sums);
// END(5)
