/* Eigenvalues of symmetric matrices and singular values: syevd and gesvd, by Jacobi's one-sided method. Rotations make the
 * columns of W = A V orthogonal; their lengths are the singular values. A symmetric matrix gets a multiple of the
 * identity added, so that no eigenvalue is near zero and the singular vectors are its eigenvectors. */
#include "handle.h"

#include <limits>

enum { MOST_SWEEPS = 40 };

template <typename T> __device__ static void rotate(T *a, T *b, int n, T c, T s) {
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS) {
    const T x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

/* A step of a round-robin tournament of the columns: a block makes one pair orthogonal. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    rotate_pairs(full<T> W, int m, int n, T *V, int step, double tolerance, int *changed) {
  const int places = n - 1 + n % 2, pair = blockIdx.x;
  const int a = pair ? (step + pair) % places : places, b = (step + places - pair) % places;
  if (a >= n || b >= n)
    return;
  T *x = &W.at(0, min(a, b)), *y = &W.at(0, max(a, b));
  double xx = 0, yy = 0, xy = 0;
  for (int i = threadIdx.x; i < m; i += HANDLE_THREADS) {
    xx += (double)x[i] * x[i];
    yy += (double)y[i] * y[i];
    xy += (double)x[i] * y[i];
  }
  xx = block_sum(xx), yy = block_sum(yy), xy = block_sum(xy);
  if (!(fabs(xy) > tolerance * sqrt(xx) * sqrt(yy)))
    return;
  const double zeta = (yy - xx) / (2 * xy), t = copysign(1 / (fabs(zeta) + sqrt(1 + zeta * zeta)), zeta);
  const double c = 1 / sqrt(1 + t * t);
  rotate(x, y, m, (T)c, (T)(c * t));
  if (V)
    rotate(V + (long long)min(a, b) * n, V + (long long)max(a, b) * n, n, (T)c, (T)(c * t));
  if (threadIdx.x == 0)
    *changed = 1;
}

/* Work space, in the order of its elements: V, then for each column the value, its rank and the column's sign. */
template <typename T> struct space {
  T *V, *values, *signs, *tau, *copy, *shift;
  int *ranks, *changed;
  static long long size(long long m, long long n) { return n * n + m * n + 4 * n + 2; }
  space(T *all, long long m, long long n)
      : V(all), values(V + n * n), signs(values + n), tau(signs + n), copy(tau + n), shift(copy + m * n),
        ranks((int *)(shift + 1)), changed((int *)(shift + 1 + n)) {}
};

/* Rotates until all pairs of columns are orthogonal. This waits for the stream, once a sweep. */
template <typename T>
static cusolverStatus_t orthogonalise(cusolverDnHandle_t handle, int m, int n, T *W, int ld,
                                      const space<T> &s) {
  const double tolerance = std::numeric_limits<T>::epsilon() * (4 + sqrt((double)m));
  int changed = 1;
  for (int sweep = 0; sweep < MOST_SWEEPS && changed && n > 1; sweep++) {
    cudaMemsetAsync(s.changed, 0, sizeof changed, handle->stream);
    for (int step = 0; step < n - 1 + n % 2; step++)
      rotate_pairs<T><<<(n + 1) / 2, HANDLE_THREADS, 0, handle->stream>>>({W, ld}, m, n, s.V, step, tolerance,
                                                                          s.changed);
    if (cudaMemcpyAsync(&changed, s.changed, sizeof changed, cudaMemcpyDeviceToHost, handle->stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(handle->stream) != cudaSuccess)
      return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  return handle_result();
}

template <typename T> __global__ void identity(T *V, int n) {
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < (long long)n * n;
       e += gridDim.x * blockDim.x)
    V[e] = e % n == e / n;
}

/* The largest sum of a row's absolute values, doubled, by one block. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS) find_shift(full<T> A, int n, bool lower, T *shift) {
  __shared__ T greatest[HANDLE_THREADS];
  T mine = 0;
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS) {
    T sum = 0;
    for (int j = 0; j < n; j++)
      sum += fabs((i >= j) == lower ? A.at(i, j) : A.at(j, i));
    mine = sum > mine ? sum : mine;
  }
  greatest[threadIdx.x] = mine;
  for (int half = HANDLE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half)
      greatest[threadIdx.x] = max(greatest[threadIdx.x], greatest[threadIdx.x + half]);
  }
  if (threadIdx.x == 0)
    *shift = 2 * greatest[0];
}

/* W = A + shift I, in full. */
template <typename T> __global__ void add_shift(full<T> A, int n, bool lower, const T *shift, T *W) {
  for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < (long long)n * n;
       e += gridDim.x * blockDim.x) {
    const int i = (int)(e % n), j = (int)(e / n);
    W[e] = ((i >= j) == lower ? A.at(i, j) : A.at(j, i)) + (i == j ? *shift : T(0));
  }
}

/* A block's column: its eigenvalue v'(A + shift I)v - shift, or its length if there is no shift. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    find_value(full<T> W, int m, const T *V, const T *shift, T *values, int *info) {
  const int k = blockIdx.x;
  double sum = 0;
  for (int i = threadIdx.x; i < m; i += HANDLE_THREADS)
    sum += (double)W.at(i, k) * (shift ? V[i + (long long)k * m] : W.at(i, k));
  sum = block_sum(sum);
  if (threadIdx.x)
    return;
  values[k] = (T)(shift ? sum - *shift : sqrt(sum));
  if (k == 0)
    *info = 0;
}

/* Sorts values, and says where each has gone. Equal ones keep their order. */
template <typename T> __global__ void sort(const T *values, int n, bool ascending, T *sorted, int *ranks) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
    int rank = 0;
    for (int j = 0; j < n; j++)
      rank += values[j] == values[k] ? j < k : (values[j] < values[k]) == ascending;
    ranks[k] = rank;
    sorted[rank] = values[k];
  }
}

/* Column k of `from` becomes column ranks[k] of `to`, or that row. A block copies a column. */
template <typename T>
__global__ void move_columns(full<T> from, int m, const int *ranks, full<T> to, bool as_rows) {
  const int k = blockIdx.x;
  for (int i = threadIdx.x; i < m; i += blockDim.x)
    (as_rows ? to.at(ranks[k], i) : to.at(i, ranks[k])) = from.at(i, k);
}

template <typename T>
static cusolverStatus_t syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t part, int n,
                              T *A, int lda, T *values, T *work, int *info) {
  const cudaStream_t stream = handle->stream;
  const space<T> s(work, n, n);
  const unsigned blocks = handle_blocks((long long)n * n);
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  find_shift<T><<<1, HANDLE_THREADS, 0, stream>>>({A, lda}, n, lower, s.shift);
  add_shift<T><<<blocks, HANDLE_THREADS, 0, stream>>>({A, lda}, n, lower, s.shift, s.copy);
  identity<T><<<blocks, HANDLE_THREADS, 0, stream>>>(s.V, n);
  const cusolverStatus_t status = orthogonalise(handle, n, n, s.copy, n, s);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  find_value<T><<<n, HANDLE_THREADS, 0, stream>>>({s.copy, n}, n, s.V, s.shift, s.values, info);
  sort<T><<<handle_blocks(n), HANDLE_THREADS, 0, stream>>>(s.values, n, true, values, s.ranks);
  if (mode == CUSOLVER_EIG_MODE_VECTOR)
    move_columns<T><<<n, HANDLE_THREADS, 0, stream>>>({s.V, n}, n, s.ranks, {A, lda}, false);
  return handle_result();
}

/* The sign of R's diagonal, by which the columns of Q differ from the singular vectors. */
template <typename T> __global__ void keep_signs(full<T> R, int n, T *signs) {
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    signs[k] = R.at(k, k) < 0 ? -1 : 1;
}
template <typename T> __global__ void turn_columns(full<T> Q, int m, const T *signs) {
  for (int i = threadIdx.x; i < m; i += blockDim.x)
    Q.at(i, blockIdx.x) *= signs[blockIdx.x];
}

/* U from the sorted columns of W in s.copy: these are U's columns times the values, so that R is diagonal. The columns
 * of Q are orthogonal even where values are zero. */
template <typename T>
static cusolverStatus_t left_vectors(cusolverDnHandle_t handle, int m, int n, int columns, T *U, int ld,
                                     const space<T> &s) {
  cudaMemcpy2DAsync(U, ld * sizeof(T), s.copy, m * sizeof(T), m * sizeof(T), n, cudaMemcpyDeviceToDevice,
                    handle->stream);
  cusolverStatus_t status = qr_factorise<T>(handle, m, n, U, ld, s.tau, NULL);
  keep_signs<T><<<1, HANDLE_THREADS, 0, handle->stream>>>({U, ld}, n, s.signs);
  if (status == CUSOLVER_STATUS_SUCCESS)
    status = qr_generate<T>(handle, m, columns, n, U, ld, s.tau, s.copy);
  turn_columns<T><<<n, HANDLE_THREADS, 0, handle->stream>>>({U, ld}, m, s.signs);
  return status == CUSOLVER_STATUS_SUCCESS ? handle_result() : status;
}

template <typename T>
static cusolverStatus_t gesvd(cusolverDnHandle_t handle, char jobu, char jobvt, int m, int n, T *A, int lda,
                              T *S, T *U, int ldu, T *VT, int ldvt, T *work, int *info) {
  const cudaStream_t stream = handle->stream;
  const space<T> s(work, m, n);
  identity<T><<<handle_blocks((long long)n * n), HANDLE_THREADS, 0, stream>>>(s.V, n);
  cusolverStatus_t status = orthogonalise(handle, m, n, A, lda, s);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  find_value<T><<<n, HANDLE_THREADS, 0, stream>>>({A, lda}, m, s.V, NULL, s.values, info);
  sort<T><<<handle_blocks(n), HANDLE_THREADS, 0, stream>>>(s.values, n, false, S, s.ranks);
  move_columns<T><<<n, HANDLE_THREADS, 0, stream>>>({A, lda}, m, s.ranks, {s.copy, m}, false);
  const full<T> right = {jobvt == 'O' ? A : VT, jobvt == 'O' ? lda : ldvt};
  if (jobvt != 'N')
    move_columns<T><<<n, HANDLE_THREADS, 0, stream>>>({s.V, n}, n, s.ranks, right, true);
  if (jobu != 'N')
    status =
        left_vectors<T>(handle, m, n, jobu == 'A' ? m : n, jobu == 'O' ? A : U, jobu == 'O' ? lda : ldu, s);
  return status == CUSOLVER_STATUS_SUCCESS ? handle_result() : status;
}

static bool is_eigenproblem(cusolverEigMode_t mode, cublasFillMode_t part, int n, int lda) {
  return (mode == CUSOLVER_EIG_MODE_VECTOR || mode == CUSOLVER_EIG_MODE_NOVECTOR) && is_triangle(part) &&
         n >= 0 && lda >= at_least_one(n);
}

static bool is_job(char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }

static bool is_decomposition(char jobu, char jobvt, int m, int n, int lda, int ldu, int ldvt) {
  return is_job(jobu) && is_job(jobvt) && !(jobu == 'O' && jobvt == 'O') && n >= 0 && m >= n &&
         lda >= at_least_one(m) && ldu >= (jobu == 'A' || jobu == 'S' ? at_least_one(m) : 1) &&
         ldvt >= (jobvt == 'A' || jobvt == 'S' ? at_least_one(n) : 1);
}

#define JACOBI(P, T)                                                                                         \
  cusolverStatus_t cusolverDn##P##syevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,        \
                                                   cublasFillMode_t part, int n, const T *, int lda,         \
                                                   const T *, int *size) {                                   \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size(space<T>::size(n, n), size);                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode,                   \
                                        cublasFillMode_t part, int n, T *A, int lda, T *values, T *work,     \
                                        int size, int *info) {                                               \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_eigenproblem(mode, part, n, lda) && size >= space<T>::size(n, n));                              \
    return n ? syevd(handle, mode, part, n, A, lda, values, work, info) : CUSOLVER_STATUS_SUCCESS;           \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *size) {     \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(size);                                                                                             \
    return handle_size(space<T>::size(m, n), size);                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##P##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt,      \
                                        int m, int n, T *A, int lda, T *S, T *U, int ldu, T *VT, int ldvt,   \
                                        T *work, int size, T *, int *info) {                                 \
    CHECK_HANDLE(handle);                                                                                    \
    CHECK(is_decomposition(jobu, jobvt, m, n, lda, ldu, ldvt) && size >= space<T>::size(m, n));              \
    return n ? gesvd(handle, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, work, info)                     \
             : CUSOLVER_STATUS_SUCCESS;                                                                      \
  }
JACOBI(S, float)
JACOBI(D, double)
