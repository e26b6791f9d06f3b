// cuBLAS's functions for types that are known at run time, groups of batches, and settings of emulated
// products. Elements are small integers, so that results are exact.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "dense.h"

#define BLAS_OK(call) TRUE((call) == CUBLAS_STATUS_SUCCESS)
static cublasHandle_t handle;

/* Elements of type T, computed in type A, which factors have, too; cosines and sines have the type of elements. */
template <class T, class A> static void elements(cudaDataType type, cudaDataType execution) {
  for (int n : {0, 1, 33, 700}) {
    const std::vector<double> x = Dense(n, 1).values, y = Dense(n, 1).values;
    const A two(2.f), half(0.5f);
    const T cosine(-1.f), sine(2.f);
    Device<T> dx(cast<T>(spread(x, -2))), dy(cast<T>(spread(y, 3)));
    std::vector<double> sum(n), scaled(n), turned(n), other(n);
    for (int i = 0; i < n; i++) {
      sum[i] = 2 * x[i] + y[i];
      scaled[i] = sum[i] / 2;
      turned[i] = -scaled[i] + 2 * x[i]; // c = -1, s = 2
      other[i] = -x[i] - 2 * scaled[i];
    }
    subject = "AxpyEx";
    BLAS_OK(cublasAxpyEx(handle, n, &two, execution, dx.data, type, -2, dy.data, type, 3, execution));
    expect_values(dy, spread(sum, 3), "y");
    subject = "ScalEx";
    BLAS_OK(cublasScalEx(handle, n, &half, execution, dy.data, type, 3, execution));
    expect_values(dy, spread(scaled, 3), "y");
    subject = "RotEx";
    BLAS_OK(cublasRotEx(handle, n, dy.data, type, 3, dx.data, type, -2, &cosine, &sine, type, execution));
    expect_values(dy, spread(turned, 3), "x");
    expect_values(dx, spread(other, -2), "y");
  }
  Device<T> four(cast<T>(std::vector<double>{3, 1, -4}));
  T result = T(0.f);
  BLAS_OK(cublasNrm2Ex(handle, 2, four.data, type, 2, &result, type, execution));
  TRUE((double)result == 5);
  BLAS_OK(cublasNrm2Ex(handle, 0, four.data, type, 2, &result, type, execution));
  TRUE((double)result == 0);
  BLAS_OK(cublasDotcEx(handle, 3, four.data, type, 1, four.data, type, 1, &result, type, execution));
  TRUE((double)result == 26);
}

static void real_numbers() {
  elements<float, float>(CUDA_R_32F, CUDA_R_32F);
  elements<double, double>(CUDA_R_64F, CUDA_R_64F);
}

static void narrow_numbers() {
  elements<__half, float>(CUDA_R_16F, CUDA_R_32F);
  elements<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F);
}

static void complex_numbers() {
  const cuDoubleComplex i = {0, 1};
  Device<double> x(std::vector<double>{3, 4, 0, -12}), y(std::vector<double>{1, 1, 2, 0});
  double length = 0;
  cuDoubleComplex sum;
  subject = "complex numbers";
  BLAS_OK(cublasNrm2Ex(handle, 2, x.data, CUDA_C_64F, 1, &length, CUDA_R_64F, CUDA_R_64F));
  TRUE(length == 13);
  BLAS_OK(cublasDotEx(handle, 2, x.data, CUDA_C_64F, 1, y.data, CUDA_C_64F, 1, &sum, CUDA_C_64F, CUDA_C_64F));
  TRUE(sum.x == -1 && sum.y == -17); // (3 + 4i)(1 + i) - 24i
  BLAS_OK(
      cublasDotcEx(handle, 2, x.data, CUDA_C_64F, 1, y.data, CUDA_C_64F, 1, &sum, CUDA_C_64F, CUDA_C_64F));
  TRUE(sum.x == 7 && sum.y == 23); // (3 - 4i)(1 + i) + 24i
  BLAS_OK(cublasAxpyEx(handle, 2, &i, CUDA_C_64F, x.data, CUDA_C_64F, 1, y.data, CUDA_C_64F, 1, CUDA_C_64F));
  expect_values(y, {-3, 4, 14, 0}, "y");
  BLAS_OK(cublasScalEx(handle, 2, &i, CUDA_C_64F, y.data, CUDA_C_64F, 1, CUDA_C_64F));
  expect_values(y, {-4, -3, 0, 14}, "y");
}

static void statuses() {
  const float one = 1;
  Device<float> x(1.), y(1.);
  TRUE(cublasAxpyEx(nullptr, 1, &one, CUDA_R_32F, x.data, CUDA_R_32F, 1, y.data, CUDA_R_32F, 1, CUDA_R_32F) ==
       CUBLAS_STATUS_NOT_INITIALIZED);
  TRUE(cublasAxpyEx(handle, 1, &one, CUDA_R_32F, x.data, CUDA_R_32F, 1, y.data, CUDA_R_16F, 1, CUDA_R_32F) ==
       CUBLAS_STATUS_NOT_SUPPORTED);
  const __half narrow(1.f); // with elements of 16 bits, the factor has 32, and a cosine 16
  TRUE(cublasAxpyEx(handle, 1, &narrow, CUDA_R_16F, x.data, CUDA_R_16F, 1, y.data, CUDA_R_16F, 1,
                    CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
  TRUE(cublasScalEx(handle, 1, &narrow, CUDA_R_16F, x.data, CUDA_R_16F, 1, CUDA_R_32F) ==
       CUBLAS_STATUS_NOT_SUPPORTED);
  TRUE(cublasRotEx(handle, 1, x.data, CUDA_R_16F, 1, y.data, CUDA_R_16F, 1, &one, &one, CUDA_R_32F,
                   CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
  TRUE(cublasScalEx(handle, 1, &one, CUDA_R_32F, x.data, CUDA_R_32F, 1, CUDA_R_64F) ==
       CUBLAS_STATUS_NOT_SUPPORTED);
  TRUE(cublasNrm2Ex(handle, 1, x.data, CUDA_R_32F, 1, y.data, CUDA_R_64F, CUDA_R_32F) ==
       CUBLAS_STATUS_NOT_SUPPORTED);
  TRUE(cublasRotEx(handle, 1, x.data, CUDA_R_32F, 1, y.data, CUDA_R_32F, 1, &one, &one, CUDA_R_64F,
                   CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
  expect_values(x, {1}, "x");
  expect_values(y, {1}, "y");
}

/* Two groups of three and one products with their own sizes, operations and factors. */
template <class T, class FUNCTION> static void groups(FUNCTION call, const char *name) {
  const cublasOperation_t opA[] = {CUBLAS_OP_N, CUBLAS_OP_T}, opB[] = {CUBLAS_OP_T, CUBLAS_OP_N};
  const int m[] = {5, 33}, n[] = {3, 20}, k[] = {17, 1}, sizes[] = {3, 1}, lda[] = {5, 1}, ldb[] = {3, 1},
            ldc[] = {5, 33};
  const T alpha[] = {2, -1}, beta[] = {0, 3};
  std::vector<Dense> A, B, C;
  std::vector<Device<T> *> dA, dB, dC;
  std::vector<T *> a, b, c;
  for (int e = 0; e < 4; e++) {
    const int g = e == 3;
    A.push_back(Dense(m[g], k[g]));
    B.push_back(Dense(k[g], n[g]));
    C.push_back(Dense(m[g], n[g]));
    dA.push_back(new Device<T>(cast<T>(A[e].turned(g).values)));
    dB.push_back(new Device<T>(cast<T>(B[e].turned(!g).values)));
    dC.push_back(new Device<T>(g ? cast<T>(C[e].values) : std::vector<T>(m[g] * n[g], (T)unread)));
    a.push_back(dA[e]->data), b.push_back(dB[e]->data), c.push_back(dC[e]->data);
  }
  Device<T *> as(a), bs(b), cs(c);
  subject = name;
  BLAS_OK(call(opA, opB, m, n, k, alpha, as.data, lda, bs.data, ldb, beta, cs.data, ldc, 2, sizes));
  for (int e = 0; e < 4; e++) {
    const Dense product = A[e].times(B[e]);
    expect_values(*dC[e], (e == 3 ? product.plus(-1, 3, C[e]) : product.plus(2, 0, C[e])).values, "C");
    delete dA[e], delete dB[e], delete dC[e];
  }
  const int short_ld[] = {4, 1};
  TRUE(call(opA, opB, m, n, k, alpha, as.data, short_ld, bs.data, ldb, beta, cs.data, ldc, 2, sizes) ==
       CUBLAS_STATUS_INVALID_VALUE);
}

static void grouped_batches() {
  groups<float>([](auto... arguments) { return cublasSgemmGroupedBatched(handle, arguments...); }, "single");
  groups<double>([](auto... arguments) { return cublasDgemmGroupedBatched(handle, arguments...); }, "double");
  groups<float>(
      [](const cublasOperation_t *opA, const cublasOperation_t *opB, const int *m, const int *n, const int *k,
         const float *alpha, float **A, const int *lda, float **B, const int *ldb, const float *beta,
         float **C, const int *ldc, int count, const int *sizes) {
        return cublasGemmGroupedBatchedEx(
            handle, opA, opB, m, n, k, alpha, (const void *const *)A, CUDA_R_32F, lda, (const void *const *)B,
            CUDA_R_32F, ldb, beta, (void *const *)C, CUDA_R_32F, ldc, count, sizes, CUBLAS_COMPUTE_32F);
      },
      "types known at run time");
}

/* The settings are kept, and the product has the precision that is emulated. */
static void emulation() {
#if CUBLAS_VER_MAJOR >= 13
  cublasEmulationStrategy_t strategy;
  cudaEmulationMantissaControl control;
  int bits = -1;
  BLAS_OK(cublasGetEmulationStrategy(handle, &strategy));
  TRUE(strategy == CUBLAS_EMULATION_STRATEGY_DEFAULT);
  BLAS_OK(cublasSetEmulationStrategy(handle, CUBLAS_EMULATION_STRATEGY_EAGER));
  BLAS_OK(cublasGetEmulationStrategy(handle, &strategy));
  TRUE(strategy == CUBLAS_EMULATION_STRATEGY_EAGER);
  BLAS_OK(cublasSetFixedPointEmulationMantissaControl(handle, CUDA_EMULATION_MANTISSA_CONTROL_FIXED));
  BLAS_OK(cublasGetFixedPointEmulationMantissaControl(handle, &control));
  TRUE(control == CUDA_EMULATION_MANTISSA_CONTROL_FIXED);
  BLAS_OK(cublasSetFixedPointEmulationMaxMantissaBitCount(handle, 55));
  BLAS_OK(cublasGetFixedPointEmulationMaxMantissaBitCount(handle, &bits));
  TRUE(bits == 55);
  TRUE(cublasSetEmulationStrategy(handle, (cublasEmulationStrategy_t)7) == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasSetFixedPointEmulationMaxMantissaBitCount(handle, -1) == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasGetFixedPointEmulationMaxMantissaBitCount(handle, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  const double alpha = 1, beta = 0;
  const float one = 1, zero = 0;
  const Dense A(2, 3), B(3, 4);
  Device<double> dA(A.values), dB(B.values), dC(std::vector<double>(8, unread));
  Device<float> sA(cast<float>(A.values)), sB(cast<float>(B.values)), sC(std::vector<float>(8));
  subject = "emulated product";
  BLAS_OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 4, 3, &alpha, dA.data, CUDA_R_64F, 2, dB.data,
                       CUDA_R_64F, 3, &beta, dC.data, CUDA_R_64F, 2, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT,
                       CUBLAS_GEMM_DEFAULT));
  expect_values(dC, A.times(B).values, "C");
  BLAS_OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 4, 3, &one, sA.data, CUDA_R_32F, 2, sB.data,
                       CUDA_R_32F, 3, &zero, sC.data, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F_EMULATED_16BFX9,
                       CUBLAS_GEMM_DEFAULT));
  expect_values(sC, A.times(B).values, "C");
#endif
}

template <void (*PART)()> static void with_handle() {
  BLAS_OK(cublasCreate(&handle));
  PART();
  BLAS_OK(cublasDestroy(handle));
}

int main() {
  return run_parts({{"32 and 64 bits", with_handle<real_numbers>},
                    {"16 bits", with_handle<narrow_numbers>},
                    {"complex numbers", with_handle<complex_numbers>},
                    {"statuses", with_handle<statuses>},
                    {"groups of batches", with_handle<grouped_batches>},
                    {"emulation", with_handle<emulation>}});
}
