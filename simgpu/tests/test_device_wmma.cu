// The matrix functions of mma.h (wmma): all types, shapes and layouts, from global and shared memory, against sums on
// the host. Prints the first differences and exits 1 if there are any.
#include "matrix_reference.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <type_traits>
#include <vector>

using namespace nvcuda;
enum { BLOCKS = 3, WARPS = 2 };
static int differences;

template <class T> struct Stored { // what memory holds
  typedef T type;
};
template <> struct Stored<wmma::precision::tf32> { typedef float type; };

// D = A B + C for one matrix per warp. Memory: `pitch` elements from one row (or column) to the next.
template <int M, int N, int K, class T, class L, class R, class S, class U>
__global__ void multiply(const typename Stored<T>::type *a, const typename Stored<T>::type *b, const S *c,
                         U *d, int pitch, bool c_rows, bool from_shared) {
  typedef typename Stored<T>::type E;
  extern __shared__ __align__(128) unsigned char shared[];
  const int which = blockIdx.x * WARPS + threadIdx.x / 32, most = 32 * pitch;
  a += which * most, b += which * most, c += which * most, d += which * most;
  E *copy = (E *)shared + threadIdx.x / 32 * 2 * most;
  for (int i = threadIdx.x % 32; i < most; i += 32)
    copy[i] = a[i], copy[most + i] = b[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, M, N, K, T, L> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, R> fb;
  wmma::fragment<wmma::accumulator, M, N, K, S> fc;
  wmma::fragment<wmma::accumulator, M, N, K, U> fd;
  wmma::load_matrix_sync(fa, from_shared ? copy : a, pitch);
  wmma::load_matrix_sync(fb, from_shared ? copy + most : b, pitch);
  wmma::load_matrix_sync(fc, c, pitch, c_rows ? wmma::mem_row_major : wmma::mem_col_major);
  for (int i = 0; i < fa.num_elements; i++)
    fa.x[i] = fa.x[i] * E(2.f);
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] = fc.x[i] * S(3.f);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, pitch, c_rows ? wmma::mem_col_major : wmma::mem_row_major);
}

template <class T> static T *managed(size_t count) {
  T *p;
  if (cudaMallocManaged(&p, count * sizeof(T)))
    exit(2);
  memset((void *)p, 0, count * sizeof(T));
  return p;
}

template <class T> static double value_of(T x) { return (double)x; }
template <> double value_of(__half x) { return __half2float(x); }
template <> double value_of(__nv_bfloat16 x) { return __bfloat162float(x); }

template <int M, int N, int K, class T, class L, class R, class S, class U = S>
static void check(const char *name) {
  typedef typename Stored<T>::type E;
  const bool a_rows = std::is_same<L, wmma::row_major>::value,
             b_rows = std::is_same<R, wmma::row_major>::value;
  const int pitch = 48, most = 32 * pitch, count = BLOCKS * WARPS * most;
  E *a = managed<E>(count), *b = managed<E>(count);
  S *c = managed<S>(count);
  U *d = managed<U>(count);
  const int low = std::is_same<T, unsigned char>::value ? 0 : -4;
  for (int i = 0; i < count; i++) {
    a[i] = E((float)(low + (int)(random_bits() % 9))), b[i] = E((float)(low + (int)(random_bits() % 9)));
    c[i] = S((float)((int)(random_bits() % 17) - 8));
  }
  for (int way = 0; way < 4; way++) {
    const bool c_rows = way & 1, from_shared = way & 2;
    multiply<M, N, K, T, L, R, S, U>
        <<<BLOCKS, 32 * WARPS, WARPS * 2 * most * sizeof(E)>>>(a, b, c, d, pitch, c_rows, from_shared);
    if (cudaError_t error = cudaDeviceSynchronize()) {
      printf("%s: %s\n", name, cudaGetErrorString(error));
      exit(1);
    }
    for (int w = 0; w < BLOCKS * WARPS; w++)
      for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
          double sum = 3 * value_of(c[w * most + (c_rows ? i * pitch + j : j * pitch + i)]);
          for (int k = 0; k < K; k++)
            sum += 2 * value_of(a[w * most + (a_rows ? i * pitch + k : k * pitch + i)]) *
                   value_of(b[w * most + (b_rows ? k * pitch + j : j * pitch + k)]);
          const double got = value_of(d[w * most + (c_rows ? j * pitch + i : i * pitch + j)]);
          if (got != sum && differences++ < 10)
            printf("%s, way %d, warp %d: row %d, column %d: %g, expected %g\n", name, way, w, i, j, got, sum);
        }
  }
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

typedef wmma::row_major Row;
typedef wmma::col_major Col;

template <int M, int N, int K, class T, class S, class U = S> static void check_layouts(const char *name) {
  check<M, N, K, T, Row, Row, S, U>(name), check<M, N, K, T, Row, Col, S, U>(name);
  check<M, N, K, T, Col, Row, S, U>(name), check<M, N, K, T, Col, Col, S, U>(name);
}

// Four-bit integers and bits: A by rows, B by columns, as mma.h requires.
__global__ void small(const int *a, const int *b, int *d4, int *d1) {
  using namespace wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, Row> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, Col> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> fd;
  wmma::load_matrix_sync(fa, a, 32), wmma::load_matrix_sync(fb, b, 64);
  wmma::fill_fragment(fd, 7);
  wmma::mma_sync(fd, fa, fb, fd);
  wmma::store_matrix_sync(d4, fd, 8, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, Row> ba;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, Col> bb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> bd;
  wmma::load_matrix_sync(ba, a, 128), wmma::load_matrix_sync(bb, b, 256);
  wmma::fill_fragment(bd, -3);
  wmma::bmma_sync(bd, ba, bb, bd);
  wmma::store_matrix_sync(d1, bd, 12, wmma::mem_col_major);
}

static int nibble(const int *words, int index) { return words[index / 8] << (28 - index % 8 * 4) >> 28; }

static void check_small() {
  int *a = managed<int>(64), *b = managed<int>(64), *d4 = managed<int>(64), *d1 = managed<int>(96);
  for (int i = 0; i < 64; i++)
    a[i] = (int)random_bits(), b[i] = (int)random_bits();
  small<<<1, 32>>>(a, b, d4, d1);
  if (cudaDeviceSynchronize())
    differences++;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      int sum = 7, bits = -3;
      for (int k = 0; k < 32; k++)
        sum += nibble(a, i * 32 + k) * nibble(b, j * 64 + k);
      for (int k = 0; k < 4; k++)
        bits += __builtin_popcount((u32)(a[i * 4 + k] ^ b[j * 8 + k]));
      if ((d4[i * 8 + j] != sum || d1[j * 12 + i] != bits) && differences++ < 10)
        printf("small: row %d, column %d: %d and %d, expected %d and %d\n", i, j, d4[i * 8 + j],
               d1[j * 12 + i], sum, bits);
    }
}

// cvt.rna.tf32: to nearest, ties away from zero.
__global__ void to_tf32(const float *x, float *y) { y[threadIdx.x] = wmma::__float_to_tf32(x[threadIdx.x]); }

static void check_tf32() {
  const u32 in[] = {0x3f800fff, 0x3f801000, 0xbf803000, 0x7f7fffff,
                    0xff800000, 0x7f800001, 0x00001000, 0x80000fff};
  const u32 out[] = {0x3f800000, 0x3f802000, 0xbf804000, 0x7f800000,
                     0xff800000, 0x7fffffff, 0x00002000, 0x80000000};
  float *x = managed<float>(8), *y = managed<float>(8);
  memcpy(x, in, sizeof in);
  to_tf32<<<1, 8>>>(x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; i++)
    if (memcmp(&y[i], &out[i], 4) != 0 && differences++ < 10)
      printf("tf32 of %#x: %a\n", in[i], y[i]);
}

int main() {
  check_layouts<16, 16, 16, __half, float>("f16 to f32, m16n16k16");
  check_layouts<32, 8, 16, __half, float>("f16 to f32, m32n8k16");
  check_layouts<8, 32, 16, __half, __half>("f16, m8n32k16");
  check<16, 16, 16, __half, Row, Col, __half, float>("f16 and f16 to f32");
  check<16, 16, 16, __half, Row, Col, float, __half>("f16 and f32 to f16");
  check_layouts<16, 16, 16, __nv_bfloat16, float>("bf16, m16n16k16");
  check<32, 8, 16, __nv_bfloat16, Col, Row, float>("bf16, m32n8k16");
  check<8, 32, 16, __nv_bfloat16, Row, Col, float>("bf16, m8n32k16");
  check_layouts<16, 16, 8, wmma::precision::tf32, float>("tf32");
  check_layouts<8, 8, 4, double, double>("f64");
  check_layouts<16, 16, 16, signed char, int>("s8, m16n16k16");
  check<32, 8, 16, unsigned char, Row, Col, int>("u8, m32n8k16");
  check<8, 32, 16, signed char, Col, Row, int>("s8, m8n32k16");
  check_small();
  check_tf32();
  return differences != 0;
}
