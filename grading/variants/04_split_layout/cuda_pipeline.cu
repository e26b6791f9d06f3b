// Style: cuda::pipeline and cuda::memcpy_async of each thread.
// clang-format off
// INSTEAD OF: #include <cuda_pipeline.h>
#include <cuda_pipeline.h>
#include <cuda/pipeline>
// END(5)
// TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
  __shared__ tiles tiles[2];
  const places me = my_places();
  const int row = blockIdx.y * TILE + me.a_row;
  float sums[8][8] = {};
  auto pipe = cuda::make_pipeline(); // of this thread
  const int row_of_b = me.b_row, column = blockIdx.x * TILE + me.b_column;
  const auto fetch = [&](int k, int slot) {
    pipe.producer_acquire();
    float *to = &tiles[slot].b[row_of_b][me.b_column];
    if (ALIGNED) {
      if (k + row_of_b < p.k && column < p.n)
        cuda::memcpy_async(to, p.b + (k + row_of_b) * p.n + column, cuda::aligned_size_t<16>(16), pipe);
      else
        store_four(to, float4{});
    } else {
      for (int n = 0; n < FOUR; n++)
        if (k + row_of_b < p.k && column + n < p.n)
          cuda::memcpy_async(to + n, p.b + (k + row_of_b) * p.n + column + n, cuda::aligned_size_t<4>(4), pipe);
        else
          to[n] = 0;
    }
    pipe.producer_commit();
  };
  fetch(0, 0);
  put_a(tiles[0], me, load_entries<ALIGNED>(p.a, p.m, p.k, row, me.a_column));
  pipe.consumer_wait();
  __syncthreads();
  for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
    fetch(k + TILE_K, !now);
    const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + TILE_K + me.a_column);
    calculate(tiles[now], me, sums);
    put_a(tiles[!now], me, a);
    pipe.consumer_release();
    pipe.consumer_wait();
    __syncthreads();
  }
  pipe.consumer_release();
  store_sums<ALIGNED>(p, me, sums);
// END(5)
