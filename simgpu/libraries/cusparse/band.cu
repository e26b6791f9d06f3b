/* Batches of systems with three or five diagonals. */
#include "view.h"

/* Three diagonals and the right-hand side of all systems, one system after the other. */
template <typename T> struct three {
  T *dl, *d, *du, *x;
  long long stride; /* from a system to the next */
  int n, systems;
};

/* Parallel cyclic reduction (R. W. Hockney and C. R. Jesshope, "Parallel Computers", 1981): each equation
 * loses its neighbours at a distance of `step`, and gets those at twice the distance. */
template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) reduce(three<T> from, three<T> to, int step) {
  const long long thread = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  const int i = (int)(thread % from.n), system = (int)(thread / from.n);
  if (system >= from.systems)
    return;
  const long long at = system * from.stride + i, before = at - step, after = at + step;
  T dl = {}, d = from.d[at], du = {}, x = from.x[at];
  if (i >= step) {
    const T factor = from.dl[at] / from.d[before];
    dl -= factor * (i >= 2 * step ? from.dl[before] : T{});
    d -= factor * from.du[before];
    x -= factor * from.x[before];
  }
  if (i + step < from.n) {
    const T factor = from.du[at] / from.d[after];
    du -= factor * (i + 2 * step < from.n ? from.du[after] : T{});
    d -= factor * from.dl[after];
    x -= factor * from.x[after];
  }
  const long long own = system * to.stride + i;
  to.dl[own] = dl, to.d[own] = d, to.du[own] = du, to.x[own] = x;
}

template <typename T>
__global__ void __launch_bounds__(SPARSE_THREADS) divide(three<T> from, T *x, long long stride) {
  const long long thread = blockIdx.x * (long long)SPARSE_THREADS + threadIdx.x;
  const int i = (int)(thread % from.n), system = (int)(thread / from.n);
  if (system < from.systems)
    x[system * stride + i] = from.x[system * from.stride + i] / from.d[system * from.stride + i];
}

static cusparseStatus_t check_three(cusparseHandle_t handle, int n, const void *dl, const void *d,
                                    const void *du, const void *x, int systems, int stride) {
  CHECK_STATUS(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(n >= 3 && systems >= 0 && stride >= n);
  CHECK(systems == 0 || (dl && d && du && x));
  return CUSPARSE_STATUS_SUCCESS;
}

enum { COPIES = 2, ARRAYS = 4 }; /* from one copy of all equations to the other */

template <typename T>
static cusparseStatus_t solve_three(cusparseHandle_t handle, const three<T> &given, void *buffer) {
  if (given.systems == 0)
    return CUSPARSE_STATUS_SUCCESS;
  CHECK(buffer);
  const long long all = (long long)given.n * given.systems;
  const unsigned blocks = view_blocks(all);
  three<T> copies[COPIES];
  T *next = (T *)buffer;
  for (three<T> &copy : copies) {
    copy = {next, next + all, next + 2 * all, next + 3 * all, given.n, given.n, given.systems};
    next += ARRAYS * all;
  }
  three<T> from = given;
  for (int step = 1, turn = 0; step < given.n; step *= 2, turn = !turn) {
    reduce<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(from, copies[turn], step);
    from = copies[turn];
  }
  divide<<<blocks, SPARSE_THREADS, 0, handle->stream>>>(from, given.x, given.stride);
  return sparse_launched();
}

#define THREE(P, T)                                                                                          \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int n, const T *dl, \
                                                                const T *d, const T *du, const T *x,         \
                                                                int systems, int stride, size_t *size) {     \
    CHECK(size);                                                                                             \
    CHECK_SUCCESS(check_three(handle, n, dl, d, du, x, systems, stride));                                    \
    *size = COPIES * ARRAYS * sizeof(T) * (size_t)n * (size_t)systems;                                       \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch(cusparseHandle_t handle, int n, const T *dl, const T *d,   \
                                                  const T *du, T *x, int systems, int stride,                \
                                                  void *buffer) {                                            \
    CHECK_SUCCESS(check_three(handle, n, dl, d, du, x, systems, stride));                                    \
    return solve_three<T>(handle, {(T *)dl, (T *)d, (T *)du, x, stride, n, systems}, buffer);                \
  }
THREE(S, float)
THREE(D, double)
THREE(C, cuComplex)
THREE(Z, cuDoubleComplex)

/* Element i of each system is beside that of the next system. */
template <typename T> struct five {
  T *ds, *dl, *d, *du, *dw, *x;
  T *third, *fourth; /* diagonals of the triangle that the rotations fill */
  int n, systems;
};

enum { WIDTH = 5 }; /* of a row while it is rotated, from the diagonal */

/* An equation, and the rotation that makes the first element of `other` 0. */
template <typename T> struct equation {
  T a[WIDTH], x;
  __device__ void eliminate(equation &other) {
    if (is_zero(other.a[0]))
      return;
    const auto size = length(a[0], other.a[0]);
    const T c = over(a[0], size), s = over(other.a[0], size);
    for (int k = 0; k < WIDTH; k++)
      turn(c, s, a[k], other.a[k]);
    turn(c, s, x, other.x);
  }
  __device__ static void turn(T c, T s, T &upper, T &lower) {
    const T before = upper;
    upper = conjugate(c) * upper + conjugate(s) * lower;
    lower = c * lower - s * before;
  }
  __device__ static float length(float a, float b) { return hypotf(a, b); }
  __device__ static double length(double a, double b) { return hypot(a, b); }
  __device__ static float length(cuComplex a, cuComplex b) { return hypotf(cuCabsf(a), cuCabsf(b)); }
  __device__ static double length(cuDoubleComplex a, cuDoubleComplex b) {
    return hypot(cuCabs(a), cuCabs(b));
  }
  template <typename R> __device__ static R over(R a, R b) { return a / b; }
  __device__ static cuComplex over(cuComplex a, float b) { return {a.x / b, a.y / b}; }
  __device__ static cuDoubleComplex over(cuDoubleComplex a, double b) { return {a.x / b, a.y / b}; }
  /* The elements after the first: those of the next column. */
  __device__ equation rest() const { return {{a[1], a[2], a[3], a[4], T{}}, x}; }
};

/* A thread solves a system by Givens rotations: the triangle replaces the matrix. */
template <typename T> __global__ void __launch_bounds__(SPARSE_THREADS) solve_five(five<T> s) {
  const int system = blockIdx.x * SPARSE_THREADS + threadIdx.x;
  if (system >= s.systems)
    return;
  const auto at = [&](int i) { return (long long)i * s.systems + system; };
  const auto inside = [&](T *diagonal, int i, int column) {
    return column >= 0 && column < s.n ? diagonal[at(i)] : T{};
  };
  const auto load = [&](int i, int first) { /* from column `first` on */
                                            equation<T> q = {};
                                            if (i >= s.n)
                                              return q;
                                            T *const diagonals[] = {s.ds, s.dl, s.d, s.du, s.dw};
                                            for (int k = 0; k < WIDTH; k++) {
                                              const int diagonal = first + k - i + 2;
                                              if (diagonal >= 0 && diagonal < WIDTH)
                                                q.a[k] = inside(diagonals[diagonal], i, first + k);
                                            }
                                            q.x = s.x[at(i)];
                                            return q;
  };
  equation<T> row = load(0, 0), second = load(1, 0);
  for (int i = 0; i < s.n; i++) {
    equation<T> third = load(i + 2, i);
    row.eliminate(second);
    row.eliminate(third);
    s.d[at(i)] = row.a[0], s.du[at(i)] = row.a[1], s.dw[at(i)] = row.a[2];
    s.third[at(i)] = row.a[3], s.fourth[at(i)] = row.a[4], s.x[at(i)] = row.x;
    row = second.rest(), second = third.rest();
  }
  for (int i = s.n - 1; i >= 0; i--) {
    T *const diagonals[] = {s.du, s.dw, s.third, s.fourth};
    T x = s.x[at(i)];
    for (int k = 1; k < WIDTH && i + k < s.n; k++)
      x -= diagonals[k - 1][at(i)] * s.x[at(i + k)];
    s.x[at(i)] = x / s.d[at(i)];
  }
}

/* The only algorithm is 0, a QR factorisation. */
static cusparseStatus_t check_five(cusparseHandle_t handle, int algorithm, int n, bool has_arrays,
                                   int systems) {
  CHECK_STATUS(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(algorithm == 0 && n >= 0 && systems >= 0 && (n == 0 || systems == 0 || has_arrays));
  return CUSPARSE_STATUS_SUCCESS;
}

#define FIVE(P, T)                                                                                           \
  cusparseStatus_t cusparse##P##gpsvInterleavedBatch_bufferSizeExt(                                          \
      cusparseHandle_t handle, int algorithm, int n, const T *ds, const T *dl, const T *d, const T *du,      \
      const T *dw, const T *x, int systems, size_t *size) {                                                  \
    CHECK(size);                                                                                             \
    CHECK_SUCCESS(check_five(handle, algorithm, n, ds &&dl &&d &&du &&dw &&x, systems));                     \
    *size = 2 * sizeof(T) * (size_t)n * (size_t)systems;                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusparseStatus_t cusparse##P##gpsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int n, T *ds,   \
                                                     T *dl, T *d, T *du, T *dw, T *x, int systems,           \
                                                     void *buffer) {                                         \
    CHECK_SUCCESS(check_five(handle, algorithm, n, ds &&dl &&d &&du &&dw &&x &&buffer, systems));            \
    T *const more = (T *)buffer;                                                                             \
    solve_five<<<view_blocks(systems), SPARSE_THREADS, 0, handle->stream>>>(                                 \
        five<T>{ds, dl, d, du, dw, x, more, more + (size_t)n * (size_t)systems, n, systems});                \
    return sparse_launched();                                                                                \
  }
FIVE(S, float)
FIVE(D, double)
FIVE(C, cuComplex)
FIVE(Z, cuDoubleComplex)
