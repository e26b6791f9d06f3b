/* Lab 08, given: kernels for some rows of a part (several_gpus.h). No part of the lab asks about them. */
#pragma once

enum { ROW_X = 32, ROW_Y = 8, ROW_THREADS = 256 };

inline int blocks_for(int count, int per_block) { return (count + per_block - 1) / per_block; }

/* The array of a colour. An index into arrays[] would make each thread copy its parameters to local memory. */
inline __device__ double *array_of(double *const arrays[2], int colour) {
  return colour ? arrays[1] : arrays[0];
}

/* True for an interior point of the grid: element jh of a colour in row r of the part. */
inline __device__ bool is_interior(const sg_part &p, int colour, int r, int jh) {
  const int j = 2 * jh + ((p.first - 1 + r + colour) & 1);
  return 0 < j && j < p.nx - 1;
}

/* (((west + east) + north) + south) + h2f of this point */
inline __device__ double sum_at(const sg_part &p, int colour, int r, int jh) {
  const double *other = array_of(p.u, 1 - colour);
  const int k = r * p.pitch + jh, shift = (p.first - 1 + r + colour) & 1;
  return ((other[k + shift - 1] + other[k + shift]) + other[k - p.pitch]) + other[k + p.pitch] +
         array_of(p.h2f, colour)[k];
}

static __global__ void sweep_rows_kernel(sg_part p, double omega, int colour, int first, int end) {
  const int jh = blockIdx.x * ROW_X + threadIdx.x, r = first + blockIdx.y * ROW_Y + threadIdx.y;
  if (r < end && is_interior(p, colour, r, jh)) {
    double *u = array_of(p.u, colour) + r * p.pitch + jh;
    *u = (1 - omega) * *u + omega * (sum_at(p, colour, r, jh) * 0.25);
  }
}

/* A half-sweep of rows `first` to end - 1 of the part, in a stream of its GPU, which is the current one. No
 * rows: no launch. */
static void sweep_rows(const sg_part *p, double omega, int colour, int first, int end, cudaStream_t stream) {
  const dim3 blocks(blocks_for(p->pitch, ROW_X), blocks_for(end - first, ROW_Y));
  if (first < end)
    sweep_rows_kernel<<<blocks, dim3(ROW_X, ROW_Y), 0, stream>>>(*p, omega, colour, first, end);
}

static __global__ void square_rows_kernel(sg_part p) {
  __shared__ double sums[ROW_THREADS];
  const int r = 1 + blockIdx.x;
  double sum = 0;
  for (int colour = 0; colour < 2; colour++)
    for (int jh = threadIdx.x; jh < p.pitch; jh += ROW_THREADS)
      if (is_interior(p, colour, r, jh)) {
        const double residual = sum_at(p, colour, r, jh) - 4 * array_of(p.u, colour)[r * p.pitch + jh];
        sum += residual * residual;
      }
  sums[threadIdx.x] = sum;
  for (int width = ROW_THREADS / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width)
      sums[threadIdx.x] += sums[threadIdx.x + width];
  }
  if (threadIdx.x == 0)
    p.squares[r - 1] = sums[0];
}

/* squares[r - 1] of the part becomes the sum of the squares of the residual in its own row r, for all of them. The
 * order of this sum depends on nx alone. In a stream of the part's GPU, which is the current one. */
static void square_rows(const sg_part *p, cudaStream_t stream) {
  square_rows_kernel<<<p->count, ROW_THREADS, 0, stream>>>(*p);
}
