// cublasLtMatmul: products and epilogues in double precision on the host, for matrices by columns and by
// rows, and elements outside the matrices that must keep their values.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <limits>
#include <vector>

#include "dense.h"

#define LT_OK(call) TRUE((call) == CUBLAS_STATUS_SUCCESS)

static cublasLtHandle_t handle;

template <class T> struct type_of;
template <> struct type_of<float> { static const cudaDataType value = CUDA_R_32F; };
template <> struct type_of<double> { static const cudaDataType value = CUDA_R_64F; };
template <> struct type_of<__half> { static const cudaDataType value = CUDA_R_16F; };
template <> struct type_of<__nv_bfloat16> { static const cudaDataType value = CUDA_R_16BF; };
template <> struct type_of<int8_t> { static const cudaDataType value = CUDA_R_8I; };
template <> struct type_of<int> { static const cudaDataType value = CUDA_R_32I; };

template <class T> static T unset() { return (T)-77; } // of elements that nothing may write

/* Matrices of a batch, by columns or by rows, with a gap between two columns or rows. */
template <class T> struct Stored {
  int rows, columns, batches, ld;
  bool by_rows;
  size_t stride;
  std::vector<Dense> all;
  Device<T> data;
  cublasLtMatrixLayout_t layout;

  static std::vector<T> spread(const std::vector<Dense> &all, int ld, size_t stride, bool by_rows) {
    std::vector<T> values(stride * all.size(), unset<T>());
    for (size_t b = 0; b < all.size(); b++)
      for (int j = 0; j < all[b].columns; j++)
        for (int i = 0; i < all[b].rows; i++)
          values[b * stride + (by_rows ? (size_t)i * ld + j : i + (size_t)j * ld)] = (T)(float)all[b](i, j);
    return values;
  }
  Stored(std::vector<Dense> matrices, bool rowwise)
      : rows(matrices[0].rows), columns(matrices[0].columns), batches((int)matrices.size()),
        ld(((rowwise ? columns : rows) + 7) / 8 * 8 + 8), by_rows(rowwise),
        stride((size_t)ld * (rowwise ? rows : columns)), all(matrices),
        data(spread(matrices, ld, stride, rowwise)) {
    const int32_t order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    const int64_t offset = (int64_t)stride;
    LT_OK(cublasLtMatrixLayoutCreate(&layout, type_of<T>::value, rows, columns, ld));
    LT_OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    LT_OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches,
                                           sizeof batches));
    LT_OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset,
                                           sizeof offset));
  }
  ~Stored() { LT_OK(cublasLtMatrixLayoutDestroy(layout)); }

  void expect(const std::vector<Dense> &wanted, double allowed, const char *what) const {
    const std::vector<T> got = data.now();
    for (size_t k = 0; k < got.size(); k++) {
      const int line = (int)(k % stride) / ld, place = (int)(k % stride) % ld;
      const int i = by_rows ? line : place, j = by_rows ? place : line;
      const bool inside = i < rows && j < columns;
      const double value = (double)(float)got[k],
                   right = inside ? wanted[k / stride](i, j) : (double)(float)unset<T>();
      if (!(fabs(value - right) <= (inside ? allowed * (1 + fabs(right)) : 0))) {
        printf("%s, %s: matrix %zu, element (%d, %d): expected %g, got %g\n", subject, what, k / stride, i, j,
               right, value);
        differences++;
        return;
      }
    }
  }
};

struct Case {
  int m, n, k, batches;
  cublasOperation_t opA, opB;
  unsigned by_rows; // bits: A, B, C, D
  double alpha, beta;
};
static const Case cases[] = {
    {1, 1, 1, 1, CUBLAS_OP_N, CUBLAS_OP_N, 0, 1, 0},      {16, 8, 24, 1, CUBLAS_OP_N, CUBLAS_OP_N, 0, 1, 0},
    {40, 72, 33, 1, CUBLAS_OP_T, CUBLAS_OP_N, 0, 2, 1},   {65, 64, 17, 3, CUBLAS_OP_N, CUBLAS_OP_T, 0, 1, -1},
    {130, 70, 40, 2, CUBLAS_OP_T, CUBLAS_OP_T, 0, -1, 3}, {48, 40, 32, 1, CUBLAS_OP_N, CUBLAS_OP_N, 15, 1, 2},
    {64, 96, 16, 2, CUBLAS_OP_N, CUBLAS_OP_N, 15, 1, 0},
};

static std::vector<Dense> some(int batches, int m, int n) {
  std::vector<Dense> all;
  for (int b = 0; b < batches; b++)
    all.push_back(Dense(m, n));
  return all;
}

struct Descriptor {
  cublasLtMatmulDesc_t desc;
  Descriptor(cublasComputeType_t compute, cudaDataType scale, const Case &c) {
    LT_OK(cublasLtMatmulDescCreate(&desc, compute, scale));
    set(CUBLASLT_MATMUL_DESC_TRANSA, c.opA);
    set(CUBLASLT_MATMUL_DESC_TRANSB, c.opB);
  }
  ~Descriptor() { LT_OK(cublasLtMatmulDescDestroy(desc)); }
  template <class V> void set(cublasLtMatmulDescAttributes_t attribute, V value) {
    LT_OK(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value));
  }
};

/* The algorithm that the library proposes first, as programs ask for it; false if there is none. */
template <class T, class O>
static bool propose(const Descriptor &d, const Stored<T> &A, const Stored<T> &B, const Stored<O> &C,
                    const Stored<O> &D, cublasLtMatmulHeuristicResult_t *found) {
  cublasLtMatmulPreference_t preference;
  int count = 0;
  const size_t workspace = 0;
  LT_OK(cublasLtMatmulPreferenceCreate(&preference));
  LT_OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                             sizeof workspace));
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle, d.desc, A.layout, B.layout, C.layout,
                                                               D.layout, preference, 1, found, &count);
  LT_OK(cublasLtMatmulPreferenceDestroy(preference));
  return status == CUBLAS_STATUS_SUCCESS && count > 0;
}

template <class T, class O, class S>
static void product(cublasComputeType_t compute, double allowed, const Case &c) {
  const bool a_turned = c.opA != CUBLAS_OP_N, b_turned = c.opB != CUBLAS_OP_N;
  const Stored<T> A(some(c.batches, a_turned ? c.k : c.m, a_turned ? c.m : c.k), c.by_rows & 1);
  const Stored<T> B(some(c.batches, b_turned ? c.n : c.k, b_turned ? c.k : c.n), c.by_rows & 2);
  const Stored<O> C(some(c.batches, c.m, c.n), c.by_rows & 4), D(some(c.batches, c.m, c.n), c.by_rows & 8);
  const S alpha = (S)(float)c.alpha, beta = (S)(float)c.beta;
  std::vector<Dense> wanted;
  for (int b = 0; b < c.batches; b++)
    wanted.push_back(
        A.all[b].turned(a_turned).times(B.all[b].turned(b_turned)).plus(c.alpha, c.beta, C.all[b]));
  Descriptor d(compute, type_of<S>::value, c);
  cublasLtMatmulHeuristicResult_t found;
  TRUE(propose(d, A, B, C, D, &found));
  LT_OK(cublasLtMatmul(handle, d.desc, &alpha, A.data.data, A.layout, B.data.data, B.layout, &beta,
                       C.data.data, C.layout, D.data.data, D.layout, &found.algo, nullptr, 0, nullptr));
  OK(cudaDeviceSynchronize());
  char what[96];
  snprintf(what, sizeof what, "m %d, n %d, k %d, %d batches, rows %u", c.m, c.n, c.k, c.batches, c.by_rows);
  D.expect(wanted, allowed, what);
}

static const char *subjects[] = {"float", "half", "half to float", "bfloat16", "double"};
static void products() {
  for (const Case &c : cases) {
    subject = subjects[0];
    product<float, float, float>(CUBLAS_COMPUTE_32F, 0, c);
    subject = subjects[1];
    product<__half, __half, float>(CUBLAS_COMPUTE_32F, 1e-3, c);
    subject = subjects[2];
    product<__half, float, float>(CUBLAS_COMPUTE_32F, 0, c);
    subject = subjects[3];
    product<__nv_bfloat16, __nv_bfloat16, float>(CUBLAS_COMPUTE_32F, 1e-2, c);
    subject = subjects[4];
    if (!c.by_rows)
      product<double, double, double>(CUBLAS_COMPUTE_64F, 0, c);
  }
}

static void integers() {
  subject = "int8";
  product<int8_t, int, int>(CUBLAS_COMPUTE_32I, 0, {32, 16, 64, 1, CUBLAS_OP_T, CUBLAS_OP_N, 0, 1, 0});
}

static double gelu(double x) { return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }
static double gelu_slope(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }

/* O: of the bias and of D; D = epilogue(A B / 8 + bias). */
template <class T, class O> static void epilogue(cublasLtEpilogue_t kind, double allowed, const char *name) {
  const Case c = {40, 24, 16, 1, CUBLAS_OP_T, CUBLAS_OP_N, 0, 0.125, 0};
  const Stored<T> A(some(1, c.k, c.m), false), B(some(1, c.k, c.n), false);
  const Stored<O> C(some(1, c.m, c.n), false), D(some(1, c.m, c.n), false);
  const Stored<O> aux(std::vector<Dense>{Dense(c.m, c.n, [](int, int) { return small() / 4.0; })}, false);
  const Dense bias(c.m, 1);
  const Device<O> bias_data([&] {
    std::vector<O> values;
    for (double value : bias.values)
      values.push_back((O)(float)value);
    return values;
  }());
  Descriptor d(CUBLAS_COMPUTE_32F, CUDA_R_32F, c);
  subject = name;
  d.set(CUBLASLT_MATMUL_DESC_EPILOGUE, kind);
  const bool is_biased = kind & CUBLASLT_EPILOGUE_BIAS, has_aux = kind & 128,
             backwards = kind == CUBLASLT_EPILOGUE_DGELU;
  if (is_biased)
    d.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, (const void *)bias_data.data);
  if (has_aux) {
    d.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, (void *)aux.data.data);
    d.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, (int64_t)aux.ld);
  }
  const Dense sum = A.all[0].turned().times(B.all[0]);
  const Dense before(c.m, c.n, [&](int i, int j) { return sum(i, j) / 8 + (is_biased ? bias(i, 0) : 0); });
  const Dense wanted(c.m, c.n, [&](int i, int j) {
    const double x = before(i, j);
    return backwards                       ? x * gelu_slope(aux.all[0](i, j))
           : kind & CUBLASLT_EPILOGUE_GELU ? gelu(x)
           : kind & CUBLASLT_EPILOGUE_RELU ? std::max(x, 0.0)
                                           : x;
  });
  const float alpha = 0.125f, beta = 0;
  cublasLtMatmulHeuristicResult_t found;
  TRUE(propose(d, A, B, C, D, &found));
  LT_OK(cublasLtMatmul(handle, d.desc, &alpha, A.data.data, A.layout, B.data.data, B.layout, &beta,
                       C.data.data, C.layout, D.data.data, D.layout, &found.algo, nullptr, 0, nullptr));
  OK(cudaDeviceSynchronize());
  D.expect({wanted}, allowed, "D");
  if (has_aux && !backwards)
    aux.expect({before}, allowed, "the input of GELU");
}

static void epilogues() {
  static const struct {
    cublasLtEpilogue_t kind;
    const char *name;
  } kinds[] = {{CUBLASLT_EPILOGUE_BIAS, "bias"},
               {CUBLASLT_EPILOGUE_RELU, "relu"},
               {CUBLASLT_EPILOGUE_RELU_BIAS, "relu, bias"},
               {CUBLASLT_EPILOGUE_GELU, "gelu"},
               {CUBLASLT_EPILOGUE_GELU_BIAS, "gelu, bias"},
               {CUBLASLT_EPILOGUE_GELU_AUX_BIAS, "gelu, its input, bias"},
               {CUBLASLT_EPILOGUE_DGELU, "backwards through gelu"}};
  for (const auto &k : kinds) {
    epilogue<__half, __half>(k.kind, 2e-3, k.name);
    epilogue<__nv_bfloat16, __nv_bfloat16>(k.kind, 2e-2, k.name);
  }
  for (int n = 0; n < 5; n++)
    epilogue<float, float>(kinds[n].kind, 1e-5, kinds[n].name);
}

/* alpha and beta in device memory. */
static void scalars() {
  const Case c = {24, 40, 16, 1, CUBLAS_OP_N, CUBLAS_OP_N, 0, 2, 3};
  subject = "scalars";
  const Stored<float> A(some(1, c.m, c.k), false), B(some(1, c.k, c.n), false), C(some(1, c.m, c.n), false),
      D(some(1, c.m, c.n), false);
  const Device<float> alpha(2.0), beta(3.0);
  const Dense sum = A.all[0].times(B.all[0]);
  Descriptor d(CUBLAS_COMPUTE_32F, CUDA_R_32F, c);
  d.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, (int32_t)CUBLASLT_POINTER_MODE_DEVICE);
  LT_OK(cublasLtMatmul(handle, d.desc, alpha.data, A.data.data, A.layout, B.data.data, B.layout, beta.data,
                       C.data.data, C.layout, D.data.data, D.layout, nullptr, nullptr, 0, nullptr));
  D.expect({sum.plus(2, 3, C.all[0])}, 0, "in device memory");
}

/* Settings of the algorithm are kept; what it can do is known. */
static void algorithms() {
  cublasLtMatmulAlgo_t algorithm;
  uint32_t tile = 0, mask = 0;
  int32_t splits = 0, id = 3;
  size_t written = 1;
  subject = "algorithms";
  LT_OK(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                               CUDA_R_32F, 16, &algorithm));
  LT_OK(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits,
                                             sizeof splits, &written));
  TRUE(splits == 1 && written == sizeof splits);
  tile = CUBLASLT_MATMUL_TILE_16x16;
  LT_OK(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile, sizeof tile));
  tile = 0;
  LT_OK(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile, sizeof tile,
                                             nullptr));
  TRUE(tile == CUBLASLT_MATMUL_TILE_16x16);
  TRUE(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id) ==
       CUBLAS_STATUS_INVALID_VALUE); // for reading only
  TRUE(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile, 1) ==
       CUBLAS_STATUS_INVALID_VALUE);
  LT_OK(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id, nullptr));
  TRUE(id == 16);
  LT_OK(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_TILE_IDS, nullptr, 0, &written));
  TRUE(written == 0);
  LT_OK(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_POINTER_MODE_MASK, &mask, sizeof mask,
                                          &written));
  TRUE(mask == (CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE));
}

/* Batches by addresses, in another order than in memory; and a product whose precision is emulated. */
static void addresses() {
#if CUBLAS_VER_MAJOR >= 13
  const uint32_t mode = CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  const int m = 20, n = 33, k = 17, batches = 2;
  const double alpha = 2, beta = -1;
  int32_t bits = 40, found = 0, count = batches;
  std::vector<Dense> A, B, C;
  std::vector<double> a, b, c;
  for (int e = 0; e < batches; e++) {
    A.push_back(Dense(m, k)), B.push_back(Dense(k, n)), C.push_back(Dense(m, n));
    a.insert(a.end(), A[e].values.begin(), A[e].values.end());
    b.insert(b.end(), B[e].values.begin(), B[e].values.end());
    c.insert(c.end(), C[e].values.begin(), C[e].values.end());
  }
  const Device<double> dA(a), dB(b), dC(c), dD(std::vector<double>(c.size(), unread));
  const Device<double *> pA({dA.data, dA.data + m * k}), pB({dB.data + k * n, dB.data}),
      pC({dC.data, dC.data + m * n}), pD({dD.data + m * n, dD.data});
  cublasLtMatrixLayout_t layouts[3];
  const int sizes[3][2] = {{m, k}, {k, n}, {m, n}};
  for (int e = 0; e < 3; e++) {
    LT_OK(cublasLtMatrixLayoutCreate(&layouts[e], CUDA_R_64F, sizes[e][0], sizes[e][1], sizes[e][0]));
    LT_OK(cublasLtMatrixLayoutSetAttribute(layouts[e], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                           sizeof count));
    LT_OK(
        cublasLtMatrixLayoutSetAttribute(layouts[e], CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, sizeof mode));
  }
  cublasLtEmulationDesc_t emulation;
  LT_OK(cublasLtEmulationDescCreate(&emulation));
  LT_OK(cublasLtEmulationDescSetAttribute(
      emulation, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, &bits, sizeof bits));
  LT_OK(cublasLtEmulationDescGetAttribute(
      emulation, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, &found, sizeof found, nullptr));
  TRUE(found == bits);
  LT_OK(cublasLtEmulationDescGetAttribute(emulation, CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT, &found,
                                          sizeof found, nullptr));
  TRUE(found == 0xFFFF);
  cublasLtMatmulDesc_t desc;
  LT_OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F));
  LT_OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, &emulation,
                                       sizeof emulation));
  LT_OK(cublasLtMatmul(handle, desc, &alpha, pA.data, layouts[0], pB.data, layouts[1], &beta, pC.data,
                       layouts[2], pD.data, layouts[2], nullptr, nullptr, 0, nullptr));
  subject = "batches by addresses";
  std::vector<double> wanted;
  for (int e = 1; e >= 0; e--) {
    const Dense d = A[e].times(B[1 - e]).plus(2, -1, C[e]);
    wanted.insert(wanted.end(), d.values.begin(), d.values.end());
  }
  expect_values(dD, wanted, "D");
  for (cublasLtMatrixLayout_t layout : layouts)
    LT_OK(cublasLtMatrixLayoutDestroy(layout));
  LT_OK(cublasLtMatmulDescDestroy(desc));
  LT_OK(cublasLtEmulationDescDestroy(emulation));
#endif
}

static void arguments() {
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t layout, narrow;
  const float one = 1;
  int32_t op = 7;
  size_t written = 0;
  subject = "arguments";
  LT_OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  LT_OK(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof op, &written));
  TRUE(op == CUBLAS_OP_N && written == sizeof op);
  LT_OK(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &written));
  TRUE(written == sizeof(void *));
  TRUE(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &op, 1) ==
       CUBLAS_STATUS_INVALID_VALUE);
  LT_OK(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 8, 8, 8));
  LT_OK(cublasLtMatrixLayoutCreate(&narrow, CUDA_R_32F, 8, 4, 8));
  const Device<float> x(std::vector<float>(64, 1));
  TRUE(cublasLtMatmul(handle, desc, &one, x.data, layout, x.data, narrow, &one, x.data, layout, x.data,
                      layout, nullptr, nullptr, 0, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasLtMatmul(nullptr, desc, &one, x.data, layout, x.data, layout, &one, x.data, layout, x.data,
                      layout, nullptr, nullptr, 0, nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  LT_OK(cublasLtMatrixLayoutDestroy(layout));
  LT_OK(cublasLtMatrixLayoutDestroy(narrow));
  LT_OK(cublasLtMatmulDescDestroy(desc));
  TRUE(cublasLtGetVersion() >= 110000);
}

template <void (*PART)()> static void with_handle() {
  LT_OK(cublasLtCreate(&handle));
  PART();
  LT_OK(cublasLtDestroy(handle));
}

int main() {
  return run_parts({{"products", with_handle<products>},
                    {"integers", with_handle<integers>},
                    {"epilogues", with_handle<epilogues>},
                    {"scalars", with_handle<scalars>},
                    {"algorithms", with_handle<algorithms>},
                    {"batches by addresses", with_handle<addresses>},
                    {"arguments", with_handle<arguments>}});
}
