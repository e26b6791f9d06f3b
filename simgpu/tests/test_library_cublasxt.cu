// cuBLASXt: matrices of the host, of the device and of both. Small integers make every result exact.
#include "dense.h"

#include <cublasXt.h>

static cublasXtHandle_t start() {
  cublasXtHandle_t xt = nullptr;
  int devices[] = {0}, block = 0;
  TRUE(cublasXtCreate(&xt) == CUBLAS_STATUS_SUCCESS);
  TRUE(cublasXtDeviceSelect(xt, 1, devices) == CUBLAS_STATUS_SUCCESS);
  TRUE(cublasXtSetBlockDim(xt, 64) == CUBLAS_STATUS_SUCCESS);
  TRUE(cublasXtGetBlockDim(xt, &block) == CUBLAS_STATUS_SUCCESS && block == 64);
  return xt;
}

template <class T> static std::vector<T> as(const Dense &m) { return {m.values.begin(), m.values.end()}; }

static void products() {
  const cublasXtHandle_t xt = start();
  const int m = 130, n = 70, k = 90;
  const Dense a(m, k), b(k, n), c(m, n), expected = a.times(b).plus(2, -1, c);
  const double two = 2, less = -1, one = 1, none = 0;
  const std::vector<double> x = as<double>(a), y = as<double>(b), turned = as<double>(a.turned());
  std::vector<double> z = as<double>(c);
  TRUE(cublasXtDgemm(xt, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &two, x.data(), m, y.data(), k, &less, z.data(),
                     m) == CUBLAS_STATUS_SUCCESS);
  TRUE(z == as<double>(expected));
  Device<double> on_device(y), result(as<double>(c));
  TRUE(cublasXtDgemm(xt, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &two, turned.data(), k, on_device.data, k, &less,
                     result.data, m) == CUBLAS_STATUS_SUCCESS);
  TRUE(result.now() == as<double>(expected));
  const std::vector<float> u = as<float>(a), v = as<float>(b);
  std::vector<float> w((m + 3) * n, 5);
  const float single = 1, zero = 0;
  TRUE(cublasXtSgemm(xt, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &single, u.data(), m, v.data(), k, &zero,
                     w.data(), m + 3) == CUBLAS_STATUS_SUCCESS);
  const Dense product = a.times(b);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m + 3; i++) // nothing between the columns changes
      TRUE(w[i + j * (m + 3)] == (i < m ? (float)product(i, j) : 5));
  std::vector<double> square(m * m);
  TRUE(cublasXtDsyrk(xt, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, k, &one, x.data(), m, &none, square.data(),
                     m) == CUBLAS_STATUS_SUCCESS);
  const Dense squares = a.times(a.turned());
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++)
      TRUE(square[i + j * m] == (i >= j ? squares(i, j) : 0));
  std::vector<double> back(m * n);
  const Dense lower(m, m, [](int i, int j) { return i == j ? 1 : i == j + 1 ? 2 : 0; });
  z = as<double>(lower.times(c));
  TRUE(cublasXtDtrsm(xt, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, m, n, &one,
                     as<double>(lower).data(), m, z.data(), m) == CUBLAS_STATUS_SUCCESS);
  TRUE(z == as<double>(c));
  TRUE(cublasXtDestroy(xt) == CUBLAS_STATUS_SUCCESS);
}

static void errors() {
  const cublasXtHandle_t xt = start();
  int beyond[] = {1000};
  double one = 1, x[4] = {};
  TRUE(cublasXtDeviceSelect(xt, 1, beyond) == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasXtSetBlockDim(xt, 0) == CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasXtDgemm(xt, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 1, x, 2, &one, x, 2) ==
       CUBLAS_STATUS_INVALID_VALUE);
  TRUE(cublasXtDestroy(xt) == CUBLAS_STATUS_SUCCESS);
}

int main() { return run_parts({{"products", products}, {"errors", errors}}); }
