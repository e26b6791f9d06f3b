/* Rows of a triangle by levels: a row needs rows of earlier levels only. M. Naumov, "Parallel Solution of
 * Sparse Triangular Linear Systems in the Preconditioned Iterative Methods on the GPU", 2011. */
#pragma once

#include "view.h"

/* The triangle of a matrix or, with `transposed`, of its transpose, without the diagonal. `lower` holds
 * for the result. */
struct level_triangle {
  const cusparseSpMatDescr *a;
  bool transposed, lower;
};

/* The triangle by rows, as kernels see it, in device memory. `position` is where a value is in the matrix. */
struct level_rows {
  int n;
  int *offsets, *columns, *position, *diagonal;
  int *order, *starts; /* rows by levels, and where levels start */
};

struct level_schedule {
  level_rows rows;
  int levels, *starts; /* on the host */
};

/* Bytes of device memory for a schedule, and the schedule in this memory. levels_make waits for the stream.
 * */
size_t levels_size(const cusparseSpMatDescr *a);
cusparseStatus_t levels_make(cusparseHandle_t handle, const level_triangle &t, void *memory,
                             level_schedule *schedule);
void levels_free(level_schedule *schedule);

/* A block of LEVEL_THREADS threads takes a level of at most that many threads, and then the next one. Levels
 * with more threads have several blocks and launches of their own. */
enum { LEVEL_THREADS = 1024, LEVEL_WARP = 32 };

/* The threads of a row: one, or a warp where rows are long. */
struct level_group {
  int threads;
  __device__ int lane() const { return threadIdx.x & (threads - 1); }
  __device__ void sync() const {
    if (threads > 1)
      __syncwarp();
  }
  /* For the first lane at least. */
  template <typename T> __device__ T sum(T own) const {
    for (int half = threads / 2; half; half /= 2)
      own += shuffle_down(own, half);
    return own;
  }
};
static inline level_group levels_group(int64_t rows, int64_t entries) {
  return {entries >= 16 * rows ? LEVEL_WARP : 1};
}

/* `work` is called with a row, by all threads of its group. Several levels need one block in x. */
template <typename WORK>
__global__ void __launch_bounds__(LEVEL_THREADS) run_levels(level_rows rows, int first, int last, WORK work) {
  const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  const long long group = thread / work.group.threads,
                  groups = (long long)gridDim.x * blockDim.x / work.group.threads;
  for (int level = first; level < last; level++) {
    const int end = rows.starts[level + 1];
    for (long long k = rows.starts[level] + group; k < end; k += groups)
      work(rows, rows.order[k]);
    __syncthreads();
  }
}

template <typename WORK>
cusparseStatus_t levels_run(cudaStream_t stream, const level_schedule &s, long long columns,
                            const WORK &work) {
  for (int first = 0, last; first < s.levels; first = last) {
    long long widest = 0;
    for (last = first; last < s.levels; last++) {
      const long long threads = (long long)(s.starts[last + 1] - s.starts[last]) * work.group.threads;
      if (threads > LEVEL_THREADS && last > first)
        break;
      widest = threads > widest ? threads : widest;
      if (threads > LEVEL_THREADS) {
        last++;
        break;
      }
    }
    const long long blocks = (widest + LEVEL_THREADS - 1) / LEVEL_THREADS;
    const long long threads =
        blocks > 1 ? LEVEL_THREADS : (widest + LEVEL_WARP - 1) / LEVEL_WARP * LEVEL_WARP;
    run_levels<<<dim3((unsigned)blocks, view_some(columns)), (unsigned)threads, 0, stream>>>(s.rows, first,
                                                                                             last, work);
  }
  return sparse_launched();
}
