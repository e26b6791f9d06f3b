/* cusolverMg.h: matrices whose tiles of columns lie on several devices in turn. The tiles are collected on one device,
 * where the functions of cusolverDn.h compute, and dealt out again. */
#include "handle.h"

#define DISABLE_CUSOLVERMG_DEPRECATED
#include <cusolverMg.h>

#include <functional>
#include <vector>

struct cusolverMgContext {
  cusolverDnHandle_t dense;
};

namespace {
struct grid {
  int devices;
};
struct description {
  int64_t rows, columns, tile;
  cudaDataType type;
  int devices;
};
size_t size_of(cudaDataType type) {
  return type == CUDA_R_32F ? sizeof(float) : type == CUDA_C_64F ? sizeof(cuDoubleComplex) : sizeof(double);
}
} // namespace

cusolverStatus_t cusolverMgCreate(cusolverMgHandle_t *handle) {
  CHECK(handle);
  cusolverMgContext *context = new cusolverMgContext();
  const cusolverStatus_t status = cusolverDnCreate(&context->dense);
  *handle = context;
  return status;
}

cusolverStatus_t cusolverMgDestroy(cusolverMgHandle_t handle) {
  CHECK_HANDLE(handle);
  cusolverDnDestroy(handle->dense);
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}

static bool are_devices(int n, const int *devices) {
  int all = 0;
  bool good = n >= 1 && devices && cudaGetDeviceCount(&all) == cudaSuccess;
  for (int d = 0; good && d < n; d++)
    good = devices[d] >= 0 && devices[d] < all;
  return good;
}

cusolverStatus_t cusolverMgDeviceSelect(cusolverMgHandle_t handle, int n, int devices[]) {
  CHECK_HANDLE(handle);
  CHECK(are_devices(n, devices));
  return CUSOLVER_STATUS_SUCCESS;
}

/* As in NVIDIA's library, there is one row of devices. */
cusolverStatus_t cusolverMgCreateDeviceGrid(cudaLibMgGrid_t *result, int32_t rows, int32_t columns,
                                            const int32_t devices[], cusolverMgGridMapping_t) {
  CHECK(result && rows == 1 && are_devices(columns, devices));
  *result = new grid{columns};
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverMgDestroyGrid(cudaLibMgGrid_t g) {
  CHECK(g);
  delete (grid *)g;
  return CUSOLVER_STATUS_SUCCESS;
}

/* A tile has all rows, which lie without gaps. */
cusolverStatus_t cusolverMgCreateMatrixDesc(cudaLibMgMatrixDesc_t *result, int64_t rows, int64_t columns,
                                            int64_t tile_rows, int64_t tile_columns, cudaDataType type,
                                            const cudaLibMgGrid_t g) {
  CHECK(result && g && rows >= 0 && columns >= 0 && tile_rows == rows && tile_columns > 0);
  CHECK(type == CUDA_R_32F || type == CUDA_R_64F || type == CUDA_C_32F || type == CUDA_C_64F);
  *result = new description{rows, columns, tile_columns, type, ((grid *)g)->devices};
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverMgDestroyMatrixDesc(cudaLibMgMatrixDesc_t d) {
  CHECK(d);
  delete (description *)d;
  return CUSOLVER_STATUS_SUCCESS;
}

/* Copies `columns` columns of `bytes` bytes between the tiles and one piece. */
static void copy_tiles(const description &d, size_t bytes, int64_t columns, void *const tiles[], void *whole,
                       bool to_whole) {
  for (int64_t first = 0; first < columns; first += d.tile) {
    const int64_t tile = first / d.tile, count = columns - first < d.tile ? columns - first : d.tile;
    char *piece = (char *)whole + first * bytes;
    char *part = (char *)tiles[tile % d.devices] + tile / d.devices * d.tile * bytes;
    cudaMemcpy(to_whole ? piece : part, to_whole ? part : piece, count * bytes, cudaMemcpyDefault);
  }
}

/* A matrix in one piece, which goes back to its tiles when write_back() is called; and other memory of the device. */
class collected {
  const description &d;
  void *const *tiles;
  int64_t columns;

public:
  void *data = nullptr;
  collected(const description &description, void *const t[], int64_t n)
      : d(description), tiles(t), columns(n) {
    if (cudaMalloc(&data, d.rows * n * size_of(d.type) + 1) == cudaSuccess)
      copy_tiles(d, d.rows * size_of(d.type), n, tiles, data, true);
  }
  collected(const collected &) = delete;
  ~collected() { cudaFree(data); }
  void write_back() { copy_tiles(d, d.rows * size_of(d.type), columns, tiles, data, false); }
};
struct scratch {
  void *data = nullptr;
  explicit scratch(size_t size) { cudaMalloc(&data, size + 1); }
  scratch(const scratch &) = delete;
  ~scratch() { cudaFree(data); }
};

/* Calls work(info in device memory), and copies its info to the host. */
static cusolverStatus_t with_info(int *info, const std::function<cusolverStatus_t(int *)> &work) {
  const scratch on_device(sizeof(int));
  cudaMemset(on_device.data, 0, sizeof(int));
  const cusolverStatus_t status = work((int *)on_device.data);
  cudaMemcpy(info, on_device.data, sizeof(int), cudaMemcpyDeviceToHost); /* waits */
  return status == CUSOLVER_STATUS_SUCCESS ? handle_result() : status;
}

/* The matrix begins at its first element and has the type of the computation. */
static bool fits(const void *d, const void *tiles, int64_t rows, int64_t columns, int i, int j,
                 cudaDataType compute) {
  const description *a = (const description *)d;
  return a && tiles && i == 1 && j == 1 && rows >= 0 && columns >= 0 && rows == a->rows &&
         columns <= a->columns && a->type == compute;
}
#define CHECK_MATRIX(A, rows, columns) CHECK(fits(descr##A, A, rows, columns, I##A, J##A, compute))

/* The memory is the library's own; one element, since programs allocate it. */
static cusolverStatus_t work_size(cusolverMgHandle_t handle, int64_t *size) {
  CHECK_HANDLE(handle);
  CHECK(size);
  *size = 1;
  return CUSOLVER_STATUS_SUCCESS;
}

#define MATRIX(A) void *A[], int I##A, int J##A, cudaLibMgMatrixDesc_t descr##A

cusolverStatus_t cusolverMgGetrf_bufferSize(cusolverMgHandle_t handle, int, int, void *[], int, int,
                                            cudaLibMgMatrixDesc_t, int *[], cudaDataType, int64_t *size) {
  return work_size(handle, size);
}
cusolverStatus_t cusolverMgGetrf(cusolverMgHandle_t handle, int m, int n, MATRIX(A), int *pivots[],
                                 cudaDataType compute, void *[], int64_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK_MATRIX(A, m, n);
  CHECK(pivots && info);
  const description &d = *(description *)descrA;
  const int count = m < n ? m : n;
  collected a(d, A, n);
  const scratch wide(count * sizeof(int64_t));
  const cusolverStatus_t status = with_info(info, [&](int *i) {
    return cusolverDnXgetrf(handle->dense, nullptr, m, n, compute, a.data, m, (int64_t *)wide.data, compute,
                            nullptr, 0, nullptr, 0, i);
  });
  std::vector<int64_t> rows(count);
  cudaMemcpy(rows.data(), wide.data, count * sizeof(int64_t), cudaMemcpyDeviceToHost);
  std::vector<int> narrow(rows.begin(), rows.end());
  copy_tiles(d, sizeof(int), count, (void *const *)pivots, narrow.data(), false);
  a.write_back();
  return status;
}

cusolverStatus_t cusolverMgGetrs_bufferSize(cusolverMgHandle_t handle, cublasOperation_t, int, int, void *[],
                                            int, int, cudaLibMgMatrixDesc_t, int *[], void *[], int, int,
                                            cudaLibMgMatrixDesc_t, cudaDataType, int64_t *size) {
  return work_size(handle, size);
}
cusolverStatus_t cusolverMgGetrs(cusolverMgHandle_t handle, cublasOperation_t op, int n, int sides, MATRIX(A),
                                 int *pivots[], MATRIX(B), cudaDataType compute, void *[], int64_t,
                                 int *info) {
  CHECK_HANDLE(handle);
  CHECK_MATRIX(A, n, n);
  CHECK_MATRIX(B, n, sides);
  CHECK(pivots && info);
  const description &d = *(description *)descrA;
  collected a(d, A, n), b(*(description *)descrB, B, sides);
  std::vector<int> narrow(n);
  copy_tiles(d, sizeof(int), n, (void *const *)pivots, narrow.data(), true);
  const std::vector<int64_t> rows(narrow.begin(), narrow.end());
  const scratch wide(n * sizeof(int64_t));
  cudaMemcpy(wide.data, rows.data(), n * sizeof(int64_t), cudaMemcpyHostToDevice);
  const cusolverStatus_t status = with_info(info, [&](int *i) {
    return cusolverDnXgetrs(handle->dense, nullptr, op, n, sides, compute, a.data, n,
                            (const int64_t *)wide.data, compute, b.data, n, i);
  });
  b.write_back();
  return status;
}

cusolverStatus_t cusolverMgPotrf_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t, int, void *[], int,
                                            int, cudaLibMgMatrixDesc_t, cudaDataType, int64_t *size) {
  return work_size(handle, size);
}
cusolverStatus_t cusolverMgPotrf(cusolverMgHandle_t handle, cublasFillMode_t part, int n, MATRIX(A),
                                 cudaDataType compute, void *[], int64_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK_MATRIX(A, n, n);
  CHECK(info);
  collected a(*(description *)descrA, A, n);
  const cusolverStatus_t status = with_info(info, [&](int *i) {
    return cusolverDnXpotrf(handle->dense, nullptr, part, n, compute, a.data, n, compute, nullptr, 0, nullptr,
                            0, i);
  });
  a.write_back();
  return status;
}

cusolverStatus_t cusolverMgPotrs_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t, int, int, void *[],
                                            int, int, cudaLibMgMatrixDesc_t, void *[], int, int,
                                            cudaLibMgMatrixDesc_t, cudaDataType, int64_t *size) {
  return work_size(handle, size);
}
cusolverStatus_t cusolverMgPotrs(cusolverMgHandle_t handle, cublasFillMode_t part, int n, int sides,
                                 MATRIX(A), MATRIX(B), cudaDataType compute, void *[], int64_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK_MATRIX(A, n, n);
  CHECK_MATRIX(B, n, sides);
  CHECK(info);
  collected a(*(description *)descrA, A, n), b(*(description *)descrB, B, sides);
  const cusolverStatus_t status = with_info(info, [&](int *i) {
    return cusolverDnXpotrs(handle->dense, nullptr, part, n, sides, compute, a.data, n, compute, b.data, n,
                            i);
  });
  b.write_back();
  return status;
}

#define POTRI(P, T)                                                                                          \
  static cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T *A, int *info) {  \
    int size = 0;                                                                                            \
    const cusolverStatus_t status = cusolverDn##P##potri_bufferSize(handle, part, n, A, n, &size);           \
    const scratch work(size * sizeof(T));                                                                    \
    return status == CUSOLVER_STATUS_SUCCESS                                                                 \
               ? cusolverDn##P##potri(handle, part, n, A, n, (T *)work.data, size, info)                     \
               : status;                                                                                     \
  }
POTRI(S, float)
POTRI(D, double)
POTRI(C, cuComplex)
POTRI(Z, cuDoubleComplex)

cusolverStatus_t cusolverMgPotri_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t, int, void *[], int,
                                            int, cudaLibMgMatrixDesc_t, cudaDataType, int64_t *size) {
  return work_size(handle, size);
}
cusolverStatus_t cusolverMgPotri(cusolverMgHandle_t handle, cublasFillMode_t part, int n, MATRIX(A),
                                 cudaDataType compute, void *[], int64_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK_MATRIX(A, n, n);
  CHECK(info);
  collected a(*(description *)descrA, A, n);
  const cusolverStatus_t status = with_info(info, [&](int *i) {
    return with_type(compute,
                     [&](auto zero) { return potri(handle->dense, part, n, (decltype(zero) *)a.data, i); });
  });
  a.write_back();
  return status;
}

cusolverStatus_t cusolverMgSyevd_bufferSize(cusolverMgHandle_t handle, cusolverEigMode_t, cublasFillMode_t,
                                            int, void *[], int, int, cudaLibMgMatrixDesc_t, void *,
                                            cudaDataType, cudaDataType, int64_t *size) {
  return work_size(handle, size);
}
/* W: host memory. */
cusolverStatus_t cusolverMgSyevd(cusolverMgHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t part,
                                 int n, MATRIX(A), void *W, cudaDataType typeW, cudaDataType compute,
                                 void *[], int64_t, int *info) {
  CHECK_HANDLE(handle);
  CHECK_MATRIX(A, n, n);
  CHECK(W && info);
  collected a(*(description *)descrA, A, n);
  const scratch values(n * size_of(typeW));
  size_t on_device = 0, on_host = 0;
  cusolverStatus_t status =
      cusolverDnXsyevd_bufferSize(handle->dense, nullptr, mode, part, n, compute, a.data, n, typeW,
                                  values.data, compute, &on_device, &on_host);
  CHECK_STATUS(status == CUSOLVER_STATUS_SUCCESS, status);
  const scratch work(on_device);
  std::vector<char> host_work(on_host + 1);
  status = with_info(info, [&](int *i) {
    return cusolverDnXsyevd(handle->dense, nullptr, mode, part, n, compute, a.data, n, typeW, values.data,
                            compute, work.data, on_device, host_work.data(), on_host, i);
  });
  cudaMemcpy(W, values.data, n * size_of(typeW), cudaMemcpyDeviceToHost);
  a.write_back();
  return status;
}
