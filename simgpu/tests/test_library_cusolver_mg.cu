// cuSOLVER's functions for matrices on several devices: the first two, or one if there is only one.
#define DISABLE_CUSOLVERMG_DEPRECATED
#include <cmath>
#include <complex>
#include <cusolverMg.h>
#include <vector>

#include "semantics.h"

#define SOLVED(call) TRUE((call) == CUSOLVER_STATUS_SUCCESS)

static const int N = 20, TILE = 3;

static cudaDataType type_of(double) { return CUDA_R_64F; }
static cudaDataType type_of(std::complex<float>) { return CUDA_C_32F; }
static double number(double, double x, double) { return x; }
static std::complex<float> number(std::complex<float>, double x, double y) { return {(float)x, (float)y}; }
static double conjugated(double x) { return x; }
static std::complex<float> conjugated(std::complex<float> x) { return std::conj(x); }

/* The devices of the program, at most two. */
static std::vector<int> devices() {
  int n = 1;
  OK(cudaGetDeviceCount(&n));
  return n > 1 ? std::vector<int>{0, 1} : std::vector<int>{0};
}

/* A matrix whose tiles of columns are dealt out to the devices. */
template <typename T> struct distributed {
  int rows, columns;
  std::vector<T *> parts;
  cudaLibMgGrid_t grid;
  cudaLibMgMatrixDesc_t descr;
  distributed(const std::vector<T> &host, int m, int n) : rows(m), columns(n) {
    const std::vector<int> list = devices();
    SOLVED(cusolverMgCreateDeviceGrid(&grid, 1, (int)list.size(), list.data(),
                                      CUDALIBMG_GRID_MAPPING_COL_MAJOR));
    SOLVED(cusolverMgCreateMatrixDesc(&descr, m, n, m, TILE, type_of(T()), grid));
    parts.resize(list.size());
    for (size_t d = 0; d < list.size(); d++) {
      OK(cudaSetDevice(list[d]));
      OK(cudaMalloc(&parts[d], (n + 2 * TILE) * m * sizeof(T)));
    }
    OK(cudaSetDevice(0));
    for (int j = 0; j < n; j++)
      OK(cudaMemcpy(column(j), &host[j * m], m * sizeof(T), cudaMemcpyHostToDevice));
  }
  distributed(const distributed &) = delete;
  ~distributed() {
    for (T *part : parts)
      cudaFree(part);
    cusolverMgDestroyMatrixDesc(descr);
    cusolverMgDestroyGrid(grid);
  }
  T *column(int j) const {
    const int n = (int)parts.size(), tile = j / TILE;
    return parts[tile % n] + (tile / n * TILE + j % TILE) * rows;
  }
  std::vector<T> get() const {
    std::vector<T> host(rows * columns);
    for (int j = 0; j < columns; j++)
      OK(cudaMemcpy(&host[j * rows], column(j), rows * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  void **tiles() { return (void **)parts.data(); }
};

/* Memory for each device: work spaces, pivots. */
struct spaces {
  std::vector<void *> all;
  explicit spaces(size_t size) {
    for (int device : devices()) {
      void *one;
      OK(cudaSetDevice(device));
      OK(cudaMalloc(&one, size));
      all.push_back(one);
    }
    OK(cudaSetDevice(0));
  }
  ~spaces() {
    for (void *one : all)
      cudaFree(one);
  }
};

template <typename T>
static std::vector<T> product(const std::vector<T> &a, const std::vector<T> &b, int n, int sides) {
  std::vector<T> c(n * sides);
  for (int j = 0; j < sides; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++)
        c[j * n + i] += a[k * n + i] * b[j * n + k];
  return c;
}

template <typename T> static void expect_close(const std::vector<T> &a, const std::vector<T> &b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); i++)
    worst = fmax(worst, std::isnan(std::abs(a[i])) ? INFINITY : std::abs(a[i] - b[i]));
  TRUE(worst < (sizeof(T) == sizeof(double) && type_of(T()) == CUDA_R_64F ? 1e-11 : 2e-4));
}

template <typename T> static std::vector<T> matrix(bool is_positive) {
  std::vector<T> a(N * N);
  for (int j = 0; j < N; j++)
    for (int i = 0; i <= j; i++) {
      a[j * N + i] = number(T(), i == j ? (is_positive ? N : 0.1) : (i * 7 + j * 3) % 5 / 5.,
                            i == j ? 0 : (i + j) % 3 / 3.);
      a[i * N + j] = is_positive ? conjugated(a[j * N + i]) : number(T(), 1 + (i * 3 + j * 5) % 7, 0.5);
    }
  return a;
}

template <typename T> static void systems_of(bool is_positive) {
  cusolverMgHandle_t handle;
  std::vector<int> list = devices();
  SOLVED(cusolverMgCreate(&handle));
  SOLVED(cusolverMgDeviceSelect(handle, (int)list.size(), list.data()));
  const int sides = 4;
  const cudaDataType type = type_of(T());
  std::vector<T> a = matrix<T>(is_positive), x(N * sides);
  for (int i = 0; i < N * sides; i++)
    x[i] = number(T(), i % 7 - 3, i % 4);
  distributed<T> A(a, N, N), B(product(a, x, N, sides), N, sides);
  int64_t first = 0, second = 0;
  int info = 7;
  spaces pivots((N + 2 * TILE) * sizeof(int));
  if (is_positive) {
    SOLVED(cusolverMgPotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, N, A.tiles(), 1, 1, A.descr, type,
                                      &first));
    SOLVED(cusolverMgPotrs_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, N, sides, A.tiles(), 1, 1, A.descr,
                                      B.tiles(), 1, 1, B.descr, type, &second));
    spaces work((first > second ? first : second) * sizeof(T));
    SOLVED(cusolverMgPotrf(handle, CUBLAS_FILL_MODE_LOWER, N, A.tiles(), 1, 1, A.descr, type, work.all.data(),
                           first, &info));
    TRUE(info == 0);
    SOLVED(cusolverMgPotrs(handle, CUBLAS_FILL_MODE_LOWER, N, sides, A.tiles(), 1, 1, A.descr, B.tiles(), 1,
                           1, B.descr, type, work.all.data(), second, &info));
  } else {
    SOLVED(cusolverMgGetrf_bufferSize(handle, N, N, A.tiles(), 1, 1, A.descr, (int **)pivots.all.data(), type,
                                      &first));
    SOLVED(cusolverMgGetrs_bufferSize(handle, CUBLAS_OP_N, N, sides, A.tiles(), 1, 1, A.descr,
                                      (int **)pivots.all.data(), B.tiles(), 1, 1, B.descr, type, &second));
    spaces work((first > second ? first : second) * sizeof(T));
    SOLVED(cusolverMgGetrf(handle, N, N, A.tiles(), 1, 1, A.descr, (int **)pivots.all.data(), type,
                           work.all.data(), first, &info));
    TRUE(info == 0);
    SOLVED(cusolverMgGetrs(handle, CUBLAS_OP_N, N, sides, A.tiles(), 1, 1, A.descr, (int **)pivots.all.data(),
                           B.tiles(), 1, 1, B.descr, type, work.all.data(), second, &info));
  }
  TRUE(info == 0);
  expect_close(B.get(), x);
  SOLVED(cusolverMgDestroy(handle));
}
static void systems() {
  systems_of<double>(false);
  systems_of<double>(true);
  systems_of<std::complex<float>>(false);
  systems_of<std::complex<float>>(true);
}

/* A V = V W, and A times its inverse. */
template <typename T, typename R> static void values_of() {
  cusolverMgHandle_t handle;
  std::vector<int> list = devices();
  SOLVED(cusolverMgCreate(&handle));
  SOLVED(cusolverMgDeviceSelect(handle, (int)list.size(), list.data()));
  const cudaDataType type = type_of(T()), real = sizeof(R) == sizeof(float) ? CUDA_R_32F : CUDA_R_64F;
  const std::vector<T> a = matrix<T>(true);
  distributed<T> A(a, N, N), F(a, N, N);
  std::vector<R> w(N);
  int64_t size = 0, more = 0;
  int info = 7;
  SOLVED(cusolverMgSyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N, A.tiles(), 1,
                                    1, A.descr, w.data(), real, type, &size));
  SOLVED(
      cusolverMgPotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, N, F.tiles(), 1, 1, F.descr, type, &more));
  size = size > more ? size : more;
  SOLVED(
      cusolverMgPotri_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, N, F.tiles(), 1, 1, F.descr, type, &more));
  size = size > more ? size : more;
  spaces work(size * sizeof(T));
  SOLVED(cusolverMgSyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N, A.tiles(), 1, 1,
                         A.descr, w.data(), real, type, work.all.data(), size, &info));
  TRUE(info == 0);
  const std::vector<T> v = A.get();
  std::vector<T> scaled(v);
  for (int j = 0; j < N; j++) {
    TRUE(j == 0 || w[j] >= w[j - 1]);
    for (int i = 0; i < N; i++)
      scaled[j * N + i] *= w[j];
  }
  expect_close(product(a, v, N, N), scaled);
  SOLVED(cusolverMgPotrf(handle, CUBLAS_FILL_MODE_LOWER, N, F.tiles(), 1, 1, F.descr, type, work.all.data(),
                         size, &info));
  SOLVED(cusolverMgPotri(handle, CUBLAS_FILL_MODE_LOWER, N, F.tiles(), 1, 1, F.descr, type, work.all.data(),
                         size, &info));
  TRUE(info == 0);
  std::vector<T> inverse = F.get(), identity(N * N);
  for (int j = 0; j < N; j++) {
    identity[j * N + j] = 1;
    for (int i = 0; i < j; i++)
      inverse[j * N + i] = conjugated(inverse[i * N + j]);
  }
  expect_close(product(a, inverse, N, N), identity);
  SOLVED(cusolverMgDestroy(handle));
}
static void values() {
  values_of<double, double>();
  values_of<std::complex<float>, float>();
}

static void faults() {
  cusolverMgHandle_t handle;
  cudaLibMgGrid_t grid;
  const int none[] = {99}, first[] = {0};
  cudaLibMgMatrixDesc_t descr;
  SOLVED(cusolverMgCreate(&handle));
  TRUE(cusolverMgCreateDeviceGrid(&grid, 1, 1, none, CUDALIBMG_GRID_MAPPING_COL_MAJOR) !=
       CUSOLVER_STATUS_SUCCESS);
  SOLVED(cusolverMgCreateDeviceGrid(&grid, 1, 1, first, CUDALIBMG_GRID_MAPPING_COL_MAJOR));
  TRUE(cusolverMgCreateMatrixDesc(&descr, 8, 8, 4, 4, CUDA_R_64F, grid) != CUSOLVER_STATUS_SUCCESS);
  SOLVED(cusolverMgDestroyGrid(grid));
  SOLVED(cusolverMgDestroy(handle));
}

int main() { return run_parts({{"systems", systems}, {"values", values}, {"faults", faults}}); }
