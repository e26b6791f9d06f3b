/* Eigenvalues of unsymmetric matrices: cusolverDnXgeev. Householder's reflectors make a Hessenberg matrix, QR
 * iterations with one shift make it triangular (J. Francis, 1961; as LAPACK's zlahqr, without balancing), and
 * substitution gives the eigenvectors. All of it is done with complex numbers in double precision, also for
 * real matrices: their conjugate pairs are put together at the end. */
#include "handle.h"

#include <float.h>

typedef cuDoubleComplex complex;

/* Work space for a matrix of order n: A = Q H Q', eigenvectors of H and of A. */
struct geev_space {
  full<complex> H, Q, X, V;
  complex *reflector;
  double *norm;
  int *source, *kind; /* of each result: the place on H's diagonal, and what it is */
  static size_t size(long long n) {
    return sizeof(complex) * (4 * n * n + n) + sizeof(double) + 2 * n * sizeof(int);
  }
  geev_space(void *all, long long n) {
    complex *next = (complex *)all;
    for (full<complex> *each : {&H, &Q, &X, &V}) {
      *each = {next, n};
      next += n * n;
    }
    reflector = next;
    norm = (double *)(next + n);
    source = (int *)(norm + 1);
    kind = source + n;
  }
};
enum { SINGLE, FIRST, SECOND }; /* of a conjugate pair, the first has the positive imaginary part */

BOTH complex to_complex(complex a) { return a; }
BOTH complex to_complex(double a) { return {a, 0}; }

template <typename T> __global__ void start(full<const T> A, int n, full<complex> H, full<complex> Q) {
  FOR_ELEMENTS(i, j, n, n) {
    H.at(i, j) = to_complex(widen(A.at(i, j)));
    set_real(Q.at(i, j), i == j);
  }
}

/* Applies I - factor v v' to rows begin and following of column j, or to these columns of row i. */
__device__ static void reflect_column(const full<complex> &A, int n, int begin, int j, const complex *v,
                                      double factor) {
  complex sum = {0, 0};
  for (int i = begin; i < n; i++)
    sum += conjugate(v[i]) * A.at(i, j);
  sum *= factor;
  for (int i = begin; i < n; i++)
    A.at(i, j) -= v[i] * sum;
}
__device__ static void reflect_row(const full<complex> &A, int n, int begin, int i, const complex *v,
                                   double factor) {
  complex sum = {0, 0};
  for (int j = begin; j < n; j++)
    sum += A.at(i, j) * v[j];
  sum *= factor;
  for (int j = begin; j < n; j++)
    A.at(i, j) -= sum * conjugate(v[j]);
}

/* By one block, as all functions up to find_schur. */
__device__ static void make_hessenberg(const full<complex> &H, const full<complex> &Q, int n, complex *v) {
  for (int k = 0; k < n - 2; k++) {
    double sum = 0;
    for (int i = k + 2 + (int)threadIdx.x; i < n; i += HANDLE_THREADS)
      sum += squared(H.at(i, k));
    sum = block_sum(sum);
    const complex alpha = H.at(k + 1, k);
    const double size = absolute(alpha), all = sqrt(size * size + sum);
    if (sum == 0)
      continue;
    const complex beta = size > 0 ? alpha * (-all / size) : complex{-all, 0}, first = alpha - beta;
    for (int i = k + 1 + (int)threadIdx.x; i < n; i += HANDLE_THREADS)
      v[i] = i == k + 1 ? first : H.at(i, k);
    __syncthreads();
    const double factor = 2 / (squared(first) + sum);
    for (int j = k + (int)threadIdx.x; j < n; j += HANDLE_THREADS)
      reflect_column(H, n, k + 1, j, v, factor);
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * n; i += HANDLE_THREADS)
      reflect_row(i < n ? H : Q, n, k + 1, i % n, v, factor);
    for (int i = k + 2 + (int)threadIdx.x; i < n; i += HANDLE_THREADS)
      H.at(i, k) = {0, 0};
    __syncthreads();
  }
}

__device__ static complex square_root(complex a) {
  const double size = absolute(a);
  if (size == 0)
    return a;
  const double large = sqrt((size + fabs(a.x)) / 2), small = fabs(a.y) / (2 * large);
  return {a.x >= 0 ? large : small, copysign(a.x >= 0 ? small : large, a.y)};
}

/* The eigenvalue of the last 2 x 2 elements that is nearer to the last one (J. Wilkinson). */
__device__ static complex find_shift(const full<complex> &H, int last) {
  const complex a = H.at(last - 1, last - 1), d = H.at(last, last),
                bc = H.at(last - 1, last) * H.at(last, last - 1), half = (a - d) * 0.5,
                root = square_root(half * half + bc), plus = half + root, minus = half - root,
                larger = squared(plus) > squared(minus) ? plus : minus;
  return squared(larger) == 0 ? d : d - bc / larger;
}

/* One QR step on rows and columns first to last: rotations of neighbouring rows and columns chase the shift's bulge. */
__device__ static void step(const full<complex> &H, const full<complex> &Q, int n, int first, int last,
                            complex shift) {
  for (int k = first; k < last; k++) {
    const complex x = k == first ? H.at(k, k) - shift : H.at(k, k - 1),
                  y = H.at(k + 1, k == first ? k : k - 1);
    const double size = hypot(absolute(x), absolute(y));
    if (size == 0)
      continue;
    const complex c = x / size, s = y / size;
    __syncthreads(); // all threads have read x and y
    const int begin = k == first ? k : k - 1;
    for (int j = begin + (int)threadIdx.x; j < n; j += HANDLE_THREADS) {
      const complex a = H.at(k, j), b = H.at(k + 1, j);
      H.at(k, j) = conjugate(c) * a + conjugate(s) * b;
      H.at(k + 1, j) = j < k ? complex{0, 0} : c * b - s * a;
    }
    __syncthreads();
    const int rows = min(k + 2, last) + 1;
    for (int e = threadIdx.x; e < rows + n; e += HANDLE_THREADS) {
      const full<complex> &A = e < rows ? H : Q;
      const int i = e < rows ? e : e - rows;
      const complex a = A.at(i, k), b = A.at(i, k + 1);
      A.at(i, k) = a * c + b * s;
      A.at(i, k + 1) = b * conjugate(c) - a * conjugate(s);
    }
    __syncthreads();
  }
}

/* The first row of the last block that does not fall apart: the element on its left counts as zero. */
__device__ static int find_block(const full<complex> &H, int last, double norm) {
  int first = last;
  for (; first > 0; first--) {
    const double size = sum_of_parts(H.at(first - 1, first - 1)) + sum_of_parts(H.at(first, first));
    if (sum_of_parts(H.at(first, first - 1)) <= DBL_EPSILON * (size == 0 ? norm : size))
      break;
  }
  return first;
}

enum { MOST_STEPS = 60, EXCEPTIONAL = 10 };

__global__ void __launch_bounds__(HANDLE_THREADS) find_schur(geev_space s, int n, int *info) {
  const full<complex> H = s.H, Q = s.Q;
  double sum = 0;
  for (long long e = threadIdx.x; e < (long long)n * n; e += HANDLE_THREADS)
    sum += squared(H.data[e]);
  const double norm = sqrt(block_sum(sum));
  make_hessenberg(H, Q, n, s.reflector);
  int last = n - 1;
  for (int steps = 0; last >= 0 && steps <= MOST_STEPS; steps++) {
    const int first = find_block(H, last, norm);
    __syncthreads(); // all threads have found it
    if (first > 0 && threadIdx.x == 0)
      H.at(first, first - 1) = {0, 0};
    __syncthreads();
    if (first == last) {
      last--;
      steps = -1;
      continue;
    }
    const bool exceptional = steps % EXCEPTIONAL == EXCEPTIONAL - 1; // breaks cycles
    const complex shift = exceptional
                              ? H.at(last, last) + number<complex>(0.75 * absolute(H.at(last, last - 1)))
                              : find_shift(H, last);
    __syncthreads();
    step(H, Q, n, first, last, shift);
  }
  if (threadIdx.x == 0) {
    *s.norm = norm;
    *info = last + 1; // values after the last one have converged
  }
}

/* Chooses the order of results. For a real matrix, neighbours are conjugate pairs; values without a partner
 * are real up to rounding errors. By one thread. */
__global__ void pair_values(geev_space s, int n, bool is_real_matrix) {
  const double tolerance = 4 * n * DBL_EPSILON * *s.norm;
  for (int i = 0; i < n; i++)
    s.kind[i] = -1; // in this loop, of place i on the diagonal: not yet used
  int results = 0;
  for (int i = 0; i < n; i++) {
    const complex value = s.H.at(i, i);
    int partner = -1;
    if (s.kind[i] >= 0)
      continue;
    s.kind[i] = SINGLE;
    for (int j = i + 1; is_real_matrix && fabs(value.y) > tolerance && j < n; j++) {
      const complex other = s.H.at(j, j);
      if (s.kind[j] < 0 && other.y * value.y < 0 &&
          (partner < 0 ||
           squared(conjugate(other) - value) < squared(conjugate(s.H.at(partner, partner)) - value)))
        partner = j;
    }
    s.source[results++] = partner >= 0 && value.y < 0 ? partner : i;
    if (partner >= 0) {
      s.kind[partner] = SINGLE;
      s.source[results++] = -1;
    }
  }
  for (int k = 0; k < n; k++)
    s.kind[k] = s.source[k] < 0 ? SECOND : k + 1 < n && s.source[k + 1] < 0 ? FIRST : SINGLE;
}

/* The eigenvector of the triangle H for the value at `place`, in x, by a block. A difference of values that
 * is too small is replaced, as in LAPACK's trevc, and large vectors are scaled. */
__device__ static void substitute(const full<complex> &H, int place, double norm, complex *x) {
  const complex value = H.at(place, place);
  const double least = norm > 0 ? DBL_EPSILON * norm : 1;
  for (int i = threadIdx.x; i <= place; i += HANDLE_THREADS)
    x[i] = i == place ? complex{1, 0} : complex{0, 0} - H.at(i, place);
  for (int j = place - 1; j >= 0; j--) {
    const complex difference = H.at(j, j) - value;
    __syncthreads();
    const complex known = x[j] / (absolute(difference) < least ? complex{least, 0} : difference);
    const double size = absolute(known), scale = size > 1e100 ? 1 / size : 1;
    __syncthreads(); // all threads have read x[j]
    for (int i = threadIdx.x; i <= place; i += HANDLE_THREADS)
      if (i == j)
        x[i] = known * scale;
      else
        x[i] = (i < j ? x[i] - H.at(i, j) * known : x[i]) * scale;
  }
  __syncthreads();
}

/* Scales a vector to the length 1 with a real largest element; of a single vector of a real matrix, nothing
 * else is left. */
__device__ static void normalise(complex *v, int n, bool only_real) {
  int largest = 0;
  for (int i = 1; i < n; i++)
    largest = squared(v[i]) > squared(v[largest]) ? i : largest;
  const complex phase = conjugate(v[largest]) / absolute(v[largest]);
  __syncthreads(); // all threads have read it
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS) {
    v[i] = v[i] * phase;
    if (only_real || i == largest)
      v[i].y = 0;
    sum += squared(v[i]);
  }
  const double length = sqrt(block_sum(sum));
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS)
    v[i] = v[i] / length;
  __syncthreads();
}

__device__ static void store(float &to, float &second, complex v, bool pair) {
  to = (float)v.x;
  if (pair)
    second = (float)v.y;
}
__device__ static void store(double &to, double &second, complex v, bool pair) {
  to = v.x;
  if (pair)
    second = v.y;
}
template <typename C> __device__ static void store(C &to, C &, complex v, bool) { narrow(to, v); }

/* A block's vector. A pair of a real matrix is stored as its real and its imaginary part. */
template <typename T>
__global__ void __launch_bounds__(HANDLE_THREADS)
    find_vectors(geev_space s, int n, bool is_real_matrix, full<T> VR) {
  const int k = blockIdx.x, place = s.source[k];
  if (place < 0) // the first of the pair stores both
    return;
  const bool pair = s.kind[k] == FIRST;
  complex *x = &s.X.at(0, k), *v = &s.V.at(0, k);
  substitute(s.H, place, *s.norm, x);
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS) {
    complex sum = {0, 0};
    for (int j = 0; j <= place; j++)
      sum += s.Q.at(i, j) * x[j];
    v[i] = sum;
  }
  __syncthreads();
  normalise(v, n, is_real_matrix && !pair);
  for (int i = threadIdx.x; i < n; i += HANDLE_THREADS)
    store(VR.at(i, k), VR.at(i, pair ? k + 1 : k), v[i], pair);
}

/* Values, or their real parts with the imaginary parts in `imaginary`. */
template <typename W>
__global__ void store_values(geev_space s, int n, bool is_real_matrix, W *values, real_of<W> *imaginary) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
    const int place = s.source[s.kind[k] == SECOND ? k - 1 : k];
    complex value = s.H.at(place, place);
    if (is_real_matrix)
      value.y = s.kind[k] == SINGLE ? 0 : s.kind[k] == FIRST ? value.y : -value.y;
    W unused;
    store(values[k], unused, value, false);
    if (imaginary)
      imaginary[k] = (real_of<W>)value.y;
  }
}

static bool is_complex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

template <typename T>
static cusolverStatus_t geev(cusolverDnHandle_t handle, bool vectors, int n, const T *A, int lda,
                             cudaDataType typeW, void *W, T *VR, int ldvr, void *work, int *info) {
  const cudaStream_t stream = handle->stream;
  const geev_space s(work, n);
  const bool real = sizeof(T) == sizeof(real_of<T>);
  start<T><<<elements_of((long long)n * n), HANDLE_THREADS, 0, stream>>>({A, lda}, n, s.H, s.Q);
  find_schur<<<1, HANDLE_THREADS, 0, stream>>>(s, n, info);
  pair_values<<<1, 1, 0, stream>>>(s, n, real);
  const cusolverStatus_t status = with_type(typeW, [=](auto zero) {
    typedef decltype(zero) V;
    real_of<V> *imaginary = is_complex(typeW) ? nullptr : (real_of<V> *)W + n;
    store_values<V><<<handle_blocks(n), HANDLE_THREADS, 0, stream>>>(s, n, real, (V *)W, imaginary);
    return handle_result();
  });
  if (vectors && status == CUSOLVER_STATUS_SUCCESS)
    find_vectors<T><<<n, HANDLE_THREADS, 0, stream>>>(s, n, real, {VR, ldvr});
  return status == CUSOLVER_STATUS_SUCCESS ? handle_result() : status;
}

static cudaDataType complex_type(cudaDataType type) {
  return type == CUDA_R_32F ? CUDA_C_32F : type == CUDA_R_64F ? CUDA_C_64F : type;
}

cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t,
                                            cusolverEigMode_t, int64_t n, cudaDataType type, const void *,
                                            int64_t, cudaDataType, const void *, cudaDataType, const void *,
                                            int64_t, cudaDataType, const void *, int64_t, cudaDataType,
                                            size_t *on_device, size_t *on_host) {
  CHECK_HANDLE(handle);
  CHECK(n >= 0 && n <= INT_MAX && on_device && on_host);
  *on_device = geev_space::size(n);
  *on_host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

/* As in NVIDIA's library, there are no left eigenvectors. */
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t left,
                                 cusolverEigMode_t right, int64_t n, cudaDataType type, void *A, int64_t lda,
                                 cudaDataType typeW, void *W, cudaDataType typeVL, void *, int64_t ldvl,
                                 cudaDataType typeVR, void *VR, int64_t ldvr, cudaDataType compute,
                                 void *work, size_t size, void *, size_t, int *info) {
  CHECK_HANDLE(handle);
  const bool vectors = right == CUSOLVER_EIG_MODE_VECTOR;
  CHECK(left == CUSOLVER_EIG_MODE_NOVECTOR && (vectors || right == CUSOLVER_EIG_MODE_NOVECTOR));
  CHECK(type == compute && typeVL == type && typeVR == type &&
        (typeW == type || typeW == complex_type(type)));
  CHECK(n >= 0 && n <= INT_MAX && lda <= INT_MAX && ldvr <= INT_MAX && lda >= at_least_one((int)n) &&
        ldvl >= 1 && ldvr >= (vectors ? at_least_one((int)n) : 1) && size >= geev_space::size(n));
  if (n == 0)
    return cudaMemsetAsync(info, 0, sizeof *info, handle->stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                                  : CUSOLVER_STATUS_SUCCESS;
  return with_type(type, [=](auto zero) {
    typedef decltype(zero) T;
    return geev<T>(handle, vectors, (int)n, (const T *)A, (int)lda, typeW, W, (T *)VR, (int)ldvr, work, info);
  });
}
