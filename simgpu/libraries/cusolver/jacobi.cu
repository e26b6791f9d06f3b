/* Jacobi's one-sided method (M. Hestenes, 1958). Rotations make the columns of W = A V orthogonal; their
 * lengths are the singular values. A Hermitian matrix gets a multiple of the identity added, so that no
 * eigenvalue is near zero and the singular vectors are its eigenvectors. */
#include "jacobi.h"

#include <limits>

/* Columns x and y become c x - s p y and s x + c p y. */
template <typename T> __device__ static void rotate(T *x, T *y, int n, real_of<T> c, real_of<T> s, T p) {
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS) {
    const T a = x[i], b = y[i] * p;
    x[i] = a * c - b * s;
    y[i] = a * s + b * c;
  }
}

/* For each matrix whether a sweep has changed it, and whether it has changed any. */
struct changes {
  int *each, *any;
};

/* A step of a round-robin tournament of the columns: a block makes one pair orthogonal. The phase of x'y goes
 * to y, so that the rotation is that of real columns. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    rotate_pairs(stack<T> matrices, int m, int n, stack<T> vectors, int step, double tolerance,
                 changes changed) {
  const int places = n - 1 + n % 2, pair = blockIdx.x;
  const int a = pair ? (step + pair) % places : places, b = (step + places - pair) % places;
  if (a >= n || b >= n)
    return;
  const full<T> W = matrices.get(), V = vectors.get();
  T *x = &W.at(0, min(a, b)), *y = &W.at(0, max(a, b));
  double xx = 0, yy = 0;
  wide<T> xy = wide<T>();
  for (int i = threadIdx.x; i < m; i += HANDLE_THREADS) {
    const wide<T> p = widen(x[i]), q = widen(y[i]);
    xx += squared(p);
    yy += squared(q);
    xy += conjugate(p) * q;
  }
  xx = block_sum(xx), yy = block_sum(yy), xy = block_sum(xy);
  const double size = absolute(xy);
  if (!(size > tolerance * sqrt(xx) * sqrt(yy)))
    return;
  const double zeta = (yy - xx) / (2 * size), t = copysign(1 / (fabs(zeta) + sqrt(1 + zeta * zeta)), zeta);
  const double c = 1 / sqrt(1 + t * t);
  const T phase = narrowed<T>(conjugate(xy) / size);
  rotate(x, y, m, (real_of<T>)c, (real_of<T>)(c * t), phase);
  rotate(&V.at(0, min(a, b)), &V.at(0, max(a, b)), n, (real_of<T>)c, (real_of<T>)(c * t), phase);
  if (threadIdx.x == 0)
    changed.each[blockIdx.y] = *changed.any = 1;
}

/* Work space of a batch, in the order of its elements. Each member has room for elements of type T. */
template <typename T> struct space {
  stack<T> V, copy;
  T *tau;
  real_of<T> *values, *signs, *shift, *residual;
  int *ranks;
  changes changed;
  static long long size(long long m, long long n, int batches) {
    return batches * (n * n + m * n + 4 * n + 3) + 1;
  }
  space(T *next, long long m, long long n, int batches) {
    auto take = [&](long long count) {
      next += count * batches;
      return next - count * batches;
    };
    V = {take(n * n), n, n * n};
    copy = {take(m * n), m, m * n};
    tau = take(n);
    values = (real_of<T> *)take(n);
    signs = (real_of<T> *)take(n);
    ranks = (int *)take(n);
    shift = (real_of<T> *)take(1);
    residual = (real_of<T> *)take(1);
    changed = {(int *)take(1), (int *)next};
  }
};

/* Rotates until all pairs of columns are orthogonal. This waits for the stream, once a sweep. */
template <typename T>
static cusolverStatus_t orthogonalise(cusolverDnHandle_t handle, int m, int n, int batches, stack<T> W,
                                      const space<T> &s, jacobi_settings *settings) {
  const double accuracy = std::numeric_limits<real_of<T>>::epsilon() * (4 + sqrt((double)m));
  const double wanted = settings ? settings->tolerance / n : 0,
               tolerance = wanted > accuracy ? wanted : accuracy;
  const int most = settings ? settings->most_sweeps : MOST_SWEEPS;
  int changed = 1, sweep = 0;
  set_identity<T><<<elements_of((long long)n * n, batches), HANDLE_THREADS, 0, handle->stream>>>(s.V, n, n);
  cudaMemsetAsync(s.changed.each, 0, batches * sizeof(int), handle->stream);
  for (; sweep < most && changed && n > 1; sweep++) {
    cudaMemsetAsync(s.changed.each, 0, batches * sizeof(int), handle->stream);
    cudaMemsetAsync(s.changed.any, 0, sizeof(int), handle->stream);
    for (int step = 0; step < n - 1 + n % 2; step++)
      rotate_pairs<T><<<dim3((n + 1) / 2, batches), HANDLE_THREADS, 0, handle->stream>>>(
          W, m, n, s.V, step, tolerance, s.changed);
    if (cudaMemcpyAsync(&changed, s.changed.any, sizeof changed, cudaMemcpyDeviceToHost, handle->stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(handle->stream) != cudaSuccess)
      return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  if (settings)
    settings->sweeps = sweep;
  return handle_result();
}

template <typename T> __device__ static auto hermitian(const full<const T> &A, int n, bool lower) {
  return symmetric<full<const T>>{A, n, ALL_DIAGONALS, lower, true};
}

/* At least twice the largest sum of a row's absolute values, by one block for each matrix. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    find_shift(stack<const T> matrices, int n, bool lower, real_of<T> *shift) {
  __shared__ real_of<T> greatest[HANDLE_THREADS];
  const auto A = hermitian(matrices.get(), n, lower);
  real_of<T> mine = 0;
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS) {
    real_of<T> sum = 0;
    for (int j = 0; j < n; j++)
      sum += sum_of_parts(A.at(i, j));
    mine = sum > mine ? sum : mine;
  }
  greatest[threadIdx.x] = mine;
  for (int half = HANDLE_THREADS / 2; half; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half)
      greatest[threadIdx.x] = max(greatest[threadIdx.x], greatest[threadIdx.x + half]);
  }
  if (threadIdx.x == 0)
    shift[blockIdx.y] = 2 * greatest[0];
}

/* W = A + shift I, in full. */
template <typename T>
__global__ void add_shift(stack<const T> matrices, int n, bool lower, const real_of<T> *shift, stack<T> to) {
  const auto A = hermitian(matrices.get(), n, lower);
  const full<T> W = to.get();
  FOR_ELEMENTS(i, j, n, n)
    W.at(i, j) = A.at(i, j) + (i == j ? number<T>(shift[blockIdx.y]) : T());
}

/* A block's column: its eigenvalue v'(A + shift I)v - shift, or its length if there is no shift. A matrix
 * that the last sweep has changed may not have converged. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    find_value(stack<const T> matrices, int m, int n, stack<const T> vectors, const real_of<T> *shift,
               real_of<T> *values, changes changed, int *info) {
  const int k = blockIdx.x, b = blockIdx.y;
  const full<const T> W = matrices.get(), V = vectors.get();
  double sum = 0;
  for (int i = threadIdx.x; i < m; i += HANDLE_THREADS)
    sum += real_part(conjugate(widen(shift ? V.at(i, k) : W.at(i, k))) * widen(W.at(i, k)));
  sum = block_sum(sum);
  if (threadIdx.x)
    return;
  values[k + (long long)b * n] = (real_of<T>)(shift ? sum - shift[b] : sqrt(sum));
  if (k == 0)
    info[b] = changed.each[b] ? n + 1 : 0;
}

/* Sorts values, and says where each has gone. Equal ones keep their order. The first `kept` are stored. */
template <typename R>
__global__ void sort(const R *all, int n, bool ascending, R *sorted, long long next, int kept, int *ranks) {
  const R *values = all + (long long)blockIdx.y * n;
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
    int rank = 0;
    for (int j = 0; j < n; j++)
      rank += values[j] == values[k] ? j < k : (values[j] < values[k]) == ascending;
    ranks[k + (long long)blockIdx.y * n] = rank;
    if (rank < kept)
      sorted[rank + blockIdx.y * next] = values[k];
  }
}

/* Column k of `from` becomes column ranks[k] of `to`, or that row of the adjoint. A block copies a column. */
template <typename T>
__global__ void move_columns(stack<const T> from, int m, int n, const int *ranks, int kept, stack<T> to,
                             bool adjoint) {
  const int k = blockIdx.x, rank = ranks[k + (long long)blockIdx.y * n];
  const full<const T> A = from.get();
  const full<T> B = to.get();
  for (int i = threadIdx.x; i < m && rank < kept; i += blockDim.x)
    if (adjoint)
      B.at(rank, i) = conjugate(A.at(i, k));
    else
      B.at(i, rank) = A.at(i, k);
}

/* The norm of A V - V w, from W = (A + shift I) V. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    find_eigen_residual(stack<const T> matrices, int n, stack<const T> vectors, const real_of<T> *shift,
                        const real_of<T> *values, real_of<T> *residual) {
  const full<const T> W = matrices.get(), V = vectors.get();
  double sum = 0;
  for (long long e = threadIdx.x; e < (long long)n * n; e += HANDLE_THREADS) {
    const int i = (int)(e % n), k = (int)(e / n);
    const double value = (double)values[k + (long long)blockIdx.y * n] + shift[blockIdx.y];
    sum += squared(widen(W.at(i, k)) - widen(V.at(i, k)) * value);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    residual[blockIdx.y] = (real_of<T>)sqrt(sum);
}

/* The norm of A - U S V': what is left out, and products of the other columns of W with the columns of U. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    find_svd_residual(stack<const T> matrices, int m, int n, const real_of<T> *all, const int *ranks,
                      int kept, real_of<T> *residual) {
  const full<const T> W = matrices.get();
  const long long first = (long long)blockIdx.y * n;
  double sum = 0;
  for (long long e = threadIdx.x; e < (long long)n * n; e += HANDLE_THREADS) {
    const int i = (int)(e % n), j = (int)(e / n);
    const double length = all[first + i];
    if (ranks[first + i] >= kept || ranks[first + j] >= kept) {
      sum += i == j ? length * length : 0;
    } else if (i != j && length > 0) {
      wide<T> product = wide<T>();
      for (int k = 0; k < m; k++)
        product += conjugate(widen(W.at(k, i))) * widen(W.at(k, j));
      sum += squared(product / length);
    }
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    residual[blockIdx.y] = (real_of<T>)sqrt(sum);
}

/* Residuals for the caller, matrix by matrix: their addresses are on the host. */
template <typename T>
static cusolverStatus_t report(cusolverDnHandle_t handle, const space<T> &s, int batches,
                               jacobi_settings *settings, double *residuals) {
  if (settings)
    settings->after_batch = batches > 1;
  for (int b = 0; b < batches; b++) {
    real_of<T> residual;
    if (cudaMemcpyAsync(&residual, s.residual + b, sizeof residual, cudaMemcpyDeviceToHost, handle->stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(handle->stream) != cudaSuccess)
      return CUSOLVER_STATUS_EXECUTION_FAILED;
    if (settings)
      settings->residual = residual;
    if (residuals)
      residuals[b] = residual;
  }
  return handle_result();
}

template <typename T> long long eigen_size(long long n, int batches) { return space<T>::size(n, n, batches); }

template <typename T>
cusolverStatus_t eigen_run(cusolverDnHandle_t handle, const eigen_job<T> &job, T *work,
                           jacobi_settings *settings) {
  const cudaStream_t stream = handle->stream;
  const int n = job.n, batches = job.batches;
  if (n == 0 || batches == 0)
    return cudaMemsetAsync(job.info, 0, batches * sizeof *job.info, stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                                            : CUSOLVER_STATUS_SUCCESS;
  const space<T> s(work, n, n, batches);
  const dim3 one_each(1, batches), columns(n, batches);
  find_shift<T><<<one_each, HANDLE_THREADS, 0, stream>>>(job.A, n, job.lower, s.shift);
  add_shift<T><<<elements_of((long long)n * n, batches), HANDLE_THREADS, 0, stream>>>(job.A, n, job.lower,
                                                                                      s.shift, s.copy);
  const cusolverStatus_t status = orthogonalise(handle, n, n, batches, s.copy, s, settings);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  find_value<T>
      <<<columns, HANDLE_THREADS, 0, stream>>>(s.copy, n, n, s.V, s.shift, s.values, s.changed, job.info);
  sort<real_of<T>>
      <<<elements_of(n, batches), HANDLE_THREADS, 0, stream>>>(s.values, n, true, job.values, n, n, s.ranks);
  if (job.vectors)
    move_columns<T><<<columns, HANDLE_THREADS, 0, stream>>>(s.V, n, n, s.ranks, n, job.A, false);
  if (!settings)
    return handle_result();
  find_eigen_residual<T>
      <<<one_each, HANDLE_THREADS, 0, stream>>>(s.copy, n, s.V, s.shift, s.values, s.residual);
  return report(handle, s, batches, settings, nullptr);
}

/* The sign of R's diagonal, by which the columns of Q differ from the singular vectors. */
template <typename T> __global__ void keep_signs(stack<const T> factors, int n, real_of<T> *signs) {
  const full<const T> R = factors.get();
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    signs[k + (long long)blockIdx.y * n] = real_part(R.at(k, k)) < 0 ? -1 : 1;
}
template <typename T> __global__ void turn_columns(stack<T> matrices, int m, int n, const real_of<T> *signs) {
  const full<T> Q = matrices.get();
  for (int i = threadIdx.x; i < m; i += blockDim.x)
    Q.at(i, blockIdx.x) *= signs[blockIdx.x + (long long)blockIdx.y * n];
}

/* U from the sorted columns of W in s.copy: these are U's columns times the values, so that R is diagonal.
 * The columns of Q are orthogonal even where values are zero. */
template <typename T>
static cusolverStatus_t left_vectors(cusolverDnHandle_t handle, const svd_job<T> &job, const space<T> &s) {
  const int m = job.m, n = job.kept, batches = job.batches;
  copy_matrix<T><<<elements_of((long long)m * n, batches), HANDLE_THREADS, 0, handle->stream>>>(s.copy, m, n,
                                                                                                job.U, false);
  cusolverStatus_t status = qr_factorise<T>(handle, batches, m, n, job.U, s.tau, nullptr);
  keep_signs<T><<<dim3(1, batches), HANDLE_THREADS, 0, handle->stream>>>(job.U, n, s.signs);
  if (status == CUSOLVER_STATUS_SUCCESS)
    status = qr_generate<T>(handle, batches, m, job.columns, n, job.U, s.tau, s.copy.data);
  turn_columns<T><<<dim3(n, batches), HANDLE_THREADS, 0, handle->stream>>>(job.U, m, n, s.signs);
  return status == CUSOLVER_STATUS_SUCCESS ? handle_result() : status;
}

template <typename T> long long svd_tall_size(long long m, long long n, int batches) {
  return space<T>::size(m, n, batches);
}

template <typename T>
cusolverStatus_t svd_tall(cusolverDnHandle_t handle, const svd_job<T> &job, T *work,
                          jacobi_settings *settings, double *residuals) {
  const cudaStream_t stream = handle->stream;
  const int m = job.m, n = job.n, batches = job.batches;
  if (m == 0 || n == 0 || batches == 0)
    return cudaMemsetAsync(job.info, 0, batches * sizeof *job.info, stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                                            : CUSOLVER_STATUS_SUCCESS;
  const space<T> s(work, m, n, batches);
  const dim3 columns(n, batches);
  cusolverStatus_t status = orthogonalise(handle, m, n, batches, job.A, s, settings);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  find_value<T>
      <<<columns, HANDLE_THREADS, 0, stream>>>(job.A, m, n, s.V, nullptr, s.values, s.changed, job.info);
  sort<real_of<T>><<<elements_of(n, batches), HANDLE_THREADS, 0, stream>>>(
      s.values, n, false, job.values, job.next_values, job.kept, s.ranks);
  if (settings || residuals)
    find_svd_residual<T><<<dim3(1, batches), HANDLE_THREADS, 0, stream>>>(job.A, m, n, s.values, s.ranks,
                                                                          job.kept, s.residual);
  move_columns<T><<<columns, HANDLE_THREADS, 0, stream>>>(job.A, m, n, s.ranks, n, s.copy, false);
  if (job.V.data)
    move_columns<T>
        <<<columns, HANDLE_THREADS, 0, stream>>>(s.V, n, n, s.ranks, job.kept, job.V, job.adjoint_V);
  if (job.U.data)
    status = left_vectors(handle, job, s);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return settings || residuals ? report(handle, s, batches, settings, residuals) : handle_result();
}

template <typename T> long long svd_size(long long m, long long n, int batches) {
  return m < n ? svd_tall_size<T>(n, m, batches) + m * n * batches : svd_tall_size<T>(m, n, batches);
}

/* A' = V S U': of a wide matrix, the adjoint is tall. */
template <typename T>
cusolverStatus_t svd_run(cusolverDnHandle_t handle, const svd_job<T> &job, T *work, jacobi_settings *settings,
                         double *residuals) {
  if (job.m >= job.n || job.m == 0 || job.batches == 0)
    return svd_tall(handle, job, work, settings, residuals);
  const long long count = (long long)job.m * job.n;
  svd_job<T> turned = job;
  turned.m = job.n;
  turned.n = job.m;
  turned.A = {work, job.n, count};
  turned.U = job.V;
  turned.V = job.U;
  copy_matrix<T><<<elements_of(count, job.batches), HANDLE_THREADS, 0, handle->stream>>>(job.A, job.n, job.m,
                                                                                         turned.A, true);
  return svd_tall(handle, turned, work + count * job.batches, settings, residuals);
}

#define JACOBI(T)                                                                                            \
  template long long eigen_size<T>(long long, int);                                                          \
  template cusolverStatus_t eigen_run(cusolverDnHandle_t, const eigen_job<T> &, T *, jacobi_settings *);     \
  template long long svd_tall_size<T>(long long, long long, int);                                            \
  template cusolverStatus_t svd_tall(cusolverDnHandle_t, const svd_job<T> &, T *, jacobi_settings *,         \
                                     double *);                                                              \
  template long long svd_size<T>(long long, long long, int);                                                 \
  template cusolverStatus_t svd_run(cusolverDnHandle_t, const svd_job<T> &, T *, jacobi_settings *, double *);
JACOBI(float)
JACOBI(double)
JACOBI(cuComplex)
JACOBI(cuDoubleComplex)
