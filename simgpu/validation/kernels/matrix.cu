// Transposes, products, small factorisations, n-body.
#include "harness.h"

enum { ROWS = 101, COLUMNS = 77, TILE = 32 };

template <class T> __global__ void transpose_naive(int rows, int columns, const T *a, T *b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < columns)
    b[j * rows + i] = a[i * columns + j];
}

// With PAD 0, a column of the tile lies in one bank.
template <class T, int PAD> __global__ void transpose_tiled(int rows, int columns, const T *a, T *b) {
  __shared__ T tile[TILE][TILE + PAD];
  int j = blockIdx.x * TILE + threadIdx.x, i = blockIdx.y * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += blockDim.y)
    if (i + k < rows && j < columns)
      tile[threadIdx.y + k][threadIdx.x] = a[(i + k) * columns + j];
  __syncthreads();
  j = blockIdx.x * TILE + threadIdx.y;
  i = blockIdx.y * TILE + threadIdx.x;
  for (int k = 0; k < TILE; k += blockDim.y)
    if (i < rows && j + k < columns)
      b[(j + k) * rows + i] = tile[threadIdx.x][threadIdx.y + k];
}

// No padding: element (i, j) of the tile is stored in column i ^ j.
__global__ void transpose_swizzled(const float4 *a, float *b) {
  __shared__ float tile[32][32];
  int i = threadIdx.x / 8, q = threadIdx.x % 8;
  float4 v = a[i * 8 + q];
  tile[i][(4 * q) ^ i] = v.x;
  tile[i][(4 * q + 1) ^ i] = v.y;
  tile[i][(4 * q + 2) ^ i] = v.z;
  tile[i][(4 * q + 3) ^ i] = v.w;
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    b[k] = tile[k % 32][(k / 32) ^ (k % 32)];
}

typedef dim3 Block;
template <class T>
static void test_transpose(void (*kernel)(int, int, const T *, T *), T low, T high, Block block) {
  Array<T> a(ROWS * COLUMNS, low, high), b(a.count);
  dim3 grid(ceil_div(COLUMNS, block.x), ceil_div(ROWS, block.x));
  kernel<<<grid, block>>>(ROWS, COLUMNS, a, b);
  check(b, [&](int k) { return a[k % ROWS * COLUMNS + k / ROWS]; });
}

TEST(transpose_naive) { test_transpose<float>(transpose_naive, -1, 1, Block(16, 16)); }
TEST(transpose_naive_short) { test_transpose<short>(transpose_naive, -999, 999, Block(8, 8)); }
TEST(transpose_conflicts) { test_transpose<float>(transpose_tiled<float, 0>, -1, 1, Block(32, 8)); }
TEST(transpose_padded) { test_transpose<float>(transpose_tiled<float, 1>, -1, 1, Block(32, 8)); }
TEST(transpose_double) { test_transpose<double>(transpose_tiled<double, 1>, -1, 1, Block(32, 4)); }
TEST(transpose_bytes) {
  test_transpose<unsigned char>(transpose_tiled<unsigned char, 4>, 0, 255, Block(32, 32));
}
TEST(transpose_swizzled) {
  Array<float> a(1024, -1, 1), b(1024);
  transpose_swizzled<<<1, 256>>>(a.as<float4>(), b);
  check(b, [&](int k) { return a[k % 32 * 32 + k / 32]; });
}

enum { M = 50, K = 37, L = 45 }; // of products: M×K by K×L

template <class T> __global__ void product_naive(const T *a, const T *b, T *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || j >= L)
    return;
  T sum = 0;
  for (int k = 0; k < K; k++)
    sum += a[i * K + k] * b[k * L + j];
  c[i * L + j] = sum;
}

template <class T, int SIDE> __global__ void product_tiled(const T *a, const T *b, T *c) {
  __shared__ T left[SIDE][SIDE], right[SIDE][SIDE];
  int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * SIDE + x, i = blockIdx.y * SIDE + y;
  T sum = 0;
  for (int first = 0; first < K; first += SIDE) {
    left[y][x] = i < M && first + x < K ? a[i * K + first + x] : T(0);
    right[y][x] = first + y < K && j < L ? b[(first + y) * L + j] : T(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SIDE; k++)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (i < M && j < L)
    c[i * L + j] = sum;
}

// C = A B for 64×64: 16×16 threads of 4×4 elements each, fused by name.
__global__ void __launch_bounds__(256, 2) product_registers(const float *a, const float *b, float *c) {
  __shared__ float left[16][64], right[16][64];
  int t = threadIdx.x, x = t % 16, y = t / 16;
  float sum[4][4] = {{0}};
  for (int first = 0; first < 64; first += 16) {
    float4 v = *(const float4 *)&a[t / 4 * 64 + first + t % 4 * 4];
    for (int q = 0; q < 4; q++)
      left[t % 4 * 4 + q][t / 4] = q == 0 ? v.x : q == 1 ? v.y : q == 2 ? v.z : v.w;
    *(float4 *)&right[y][4 * x] = *(const float4 *)&b[(first + y) * 64 + 4 * x];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
      float4 u = *(float4 *)&left[k][4 * y], w = *(float4 *)&right[k][4 * x];
      float rows[4] = {u.x, u.y, u.z, u.w}, columns[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          sum[i][j] = fmaf(rows[i], columns[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    *(float4 *)&c[(4 * y + i) * 64 + 4 * x] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// y = A x, one warp per row, `double2` loads.
__global__ void matrix_vector(int rows, int pairs, const double2 *a, const double2 *x, double *y) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  double sum = 0;
  if (row < rows)
    for (int k = threadIdx.x; k < pairs; k += 32)
      sum = fma(a[row * pairs + k].y, x[k].y, fma(a[row * pairs + k].x, x[k].x, sum));
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(~0u, sum, step);
  if (row < rows && threadIdx.x == 0)
    y[row] = sum;
}

template <class T>
static T product_element(const Array<T> &a, const Array<T> &b, int inner, int columns, int at) {
  T sum = 0;
  for (int k = 0; k < inner; k++)
    sum += a[at / columns * inner + k] * b[k * columns + at % columns];
  return sum;
}

template <class T> static void test_product(void (*kernel)(const T *, const T *, T *), int side) {
  Array<T> a(M * K, -1, 1), b(K * L, -1, 1), c(M * L);
  kernel<<<dim3(ceil_div(L, side), ceil_div(M, side)), dim3(side, side)>>>(a, b, c);
  check(c, [&](int at) { return product_element(a, b, K, L, at); });
}
TEST(product_naive) { test_product<float>(product_naive, 16); }
TEST(product_naive_double) { test_product<double>(product_naive, 10); }
TEST(product_tiled) { test_product<float>(product_tiled<float, 16>, 16); }
TEST(product_tiled_double) { test_product<double>(product_tiled<double, 13>, 13); }
TEST(product_registers) {
  Array<float> a(4096, -1, 1), b(4096, -1, 1), c(4096);
  product_registers<<<1, 256>>>(a, b, c);
  check(c, [&](int at) {
    float sum = 0;
    for (int k = 0; k < 64; k++)
      sum = fmaf(a[at / 64 * 64 + k], b[k * 64 + at % 64], sum);
    return sum;
  });
}
TEST(matrix_vector) {
  Array<double> a(21 * 90, -1, 1), x(90, -1, 1), y(21);
  matrix_vector<<<6, dim3(32, 4)>>>(21, 45, a.as<double2>(), x.as<double2>(), y);
  check_near(y, 90 * 0x1p-52, [&](int i) { return product_element(a, x, 90, 1, i); });
}

// One thread per system, in local memory: Gaussian elimination with row pivots, indexed dynamically.
enum { ORDER = 6 };
__global__ void solve_small(int systems, const float *matrices, const float *rights, float *solutions) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  float a[ORDER][ORDER], b[ORDER];
  int order[ORDER];
  for (int i = 0; i < ORDER; i++) {
    order[i] = i;
    b[i] = rights[s * ORDER + i];
    for (int j = 0; j < ORDER; j++)
      a[i][j] = matrices[(s * ORDER + i) * ORDER + j];
  }
  for (int k = 0; k < ORDER; k++) {
    int best = k;
    for (int i = k + 1; i < ORDER; i++)
      if (fabsf(a[order[i]][k]) > fabsf(a[order[best]][k]))
        best = i;
    int pivot = order[best];
    order[best] = order[k];
    order[k] = pivot;
    for (int i = k + 1; i < ORDER; i++) {
      float factor = a[order[i]][k] / a[pivot][k];
      for (int j = k; j < ORDER; j++)
        a[order[i]][j] -= factor * a[pivot][j];
      b[order[i]] -= factor * b[pivot];
    }
  }
  for (int i = ORDER - 1; i >= 0; i--) {
    float value = b[order[i]];
    for (int j = i + 1; j < ORDER; j++)
      value -= a[order[i]][j] * solutions[s * ORDER + j];
    solutions[s * ORDER + i] = value / a[order[i]][i];
  }
}
TEST(solve_small) {
  Array<float> a(70 * ORDER * ORDER, -1, 1), b(70 * ORDER, -1, 1), x(b.count);
  solve_small<<<2, 48>>>(70, a, b, x);
  float *solution = record(x);
  Array<float> again(b.count, [&](int row) { // A x, with the x of the device
    float sum = 0;
    for (int j = 0; j < ORDER; j++)
      sum += a[row * ORDER + j] * solution[row / ORDER * ORDER + j];
    return sum;
  });
  check_near(again, 1e-3, [&](int row) { return b[row]; });
  delete[] solution;
}

// A = L Lᵀ in place in shared memory, one thread per row.
__global__ void cholesky(int n, double *a) {
  extern __shared__ double l[];
  int i = threadIdx.x, pitch = n + 1;
  for (int j = 0; j < n; j++)
    l[i * pitch + j] = a[i * n + j];
  for (int k = 0; k < n; k++) {
    __syncthreads();
    if (i == k)
      l[k * pitch + k] = sqrt(l[k * pitch + k]);
    __syncthreads();
    if (i > k)
      l[i * pitch + k] /= l[k * pitch + k];
    __syncthreads();
    for (int j = k + 1; j <= i; j++)
      l[i * pitch + j] -= l[i * pitch + k] * l[j * pitch + k];
  }
  for (int j = 0; j < n; j++)
    a[i * n + j] = j <= i ? l[i * pitch + j] : 0;
}
TEST(cholesky) {
  enum { N = 40 };
  Array<double> a(N * N, [](int at) { return at / N == at % N ? N : 1 / (1.0 + at / N + at % N); });
  cholesky<<<1, N, N *(N + 1) * sizeof(double)>>>(N, a);
  double l[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      l[i][j] = j <= i ? a[i * N + j] : 0;
  for (int k = 0; k < N; k++) {
    l[k][k] = sqrt(l[k][k]);
    for (int i = k + 1; i < N; i++)
      l[i][k] /= l[k][k];
    for (int i = k + 1; i < N; i++)
      for (int j = k + 1; j <= i; j++)
        l[i][j] -= l[i][k] * l[j][k];
  }
  check(a, [&](int at) { return l[at / N][at % N]; });
}

// Acceleration of each body, tile by tile: L. Nyland, M. Harris, J. Prins, GPU Gems 3, chapter 31.
__host__ __device__ void attract(const float p[3], float4 q, float sum[3]) {
  float x = q.x - p[0], y = q.y - p[1], z = q.z - p[2], square = x * x + y * y + z * z + 1e-4f;
  float weight = q.w / (square * sqrtf(square));
  sum[0] += weight * x;
  sum[1] += weight * y;
  sum[2] += weight * z;
}
__global__ void n_body(int n, const float4 *bodies, float *accelerations) {
  extern __shared__ float4 others[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = bodies[i < n ? i : 0];
  float at[3] = {me.x, me.y, me.z}, sum[3] = {0, 0, 0};
  for (int first = 0; first < n; first += blockDim.x) {
    if (first + threadIdx.x < n)
      others[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x && first + k < n; k++)
      attract(at, others[k], sum);
    __syncthreads();
  }
  for (int axis = 0; axis < 3 && i < n; axis++)
    accelerations[3 * i + axis] = sum[axis];
}
TEST(n_body) {
  enum { N = 150 };
  Array<float> bodies(4 * N, -1, 1), accelerations(3 * N);
  n_body<<<3, 64, 64 * sizeof(float4)>>>(N, bodies.as<float4>(), accelerations);
  check(accelerations, [&](int k) {
    float sum[3] = {0, 0, 0};
    for (int i = 0; i < N; i++)
      attract(&bodies[k / 3 * 4],
              make_float4(bodies[4 * i], bodies[4 * i + 1], bodies[4 * i + 2], bodies[4 * i + 3]), sum);
    return sum[k % 3];
  });
}
