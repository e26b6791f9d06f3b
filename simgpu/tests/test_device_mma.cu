// mma.sync of all types and shapes, ldmatrix, stmatrix and movmatrix, against the host. Prints the first differences
// and exits 1 if there are any.
#include "matrix_reference.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

enum { LANES = 32, CASES = 96 };
static int differences;

// R: the type of the registers of A and B, S: of C and D. Fragments lie register by register, then lane by lane.
#define KERNEL(name, R, S, NA, NB, ND, form, operands, results, ...)                                         \
  __global__ void name(const R *pa, const R *pb, const S *pc, S *pd) {                                       \
    R a[NA], b[NB];                                                                                          \
    S c[ND], d[ND];                                                                                          \
    for (int i = 0; i < NA; i++)                                                                             \
      a[i] = pa[(blockIdx.x * NA + i) * LANES + threadIdx.x];                                                \
    for (int i = 0; i < NB; i++)                                                                             \
      b[i] = pb[(blockIdx.x * NB + i) * LANES + threadIdx.x];                                                \
    for (int i = 0; i < ND; i++)                                                                             \
      c[i] = pc[(blockIdx.x * ND + i) * LANES + threadIdx.x];                                                \
    asm("mma.sync.aligned." form " " operands ";" : results : __VA_ARGS__);                                  \
    for (int i = 0; i < ND; i++)                                                                             \
      pd[(blockIdx.x * ND + i) * LANES + threadIdx.x] = d[i];                                                \
  }
#define IN1(t, x) t(x[0])
#define IN2(t, x) t(x[0]), t(x[1])
#define IN4(t, x) IN2(t, x), t(x[2]), t(x[3])
#define IN8(t, x) IN4(t, x), t(x[4]), t(x[5]), t(x[6]), t(x[7])
#define K112(name, R, r, S, s, form)                                                                         \
  KERNEL(name, R, S, 1, 1, 2, form, "{%0,%1},{%2},{%3},{%4,%5}", IN2("=" s, d), IN1(r, a), IN1(r, b),        \
         IN2(s, c))
#define K212(name, R, r, S, s, form)                                                                         \
  KERNEL(name, R, S, 2, 1, 2, form, "{%0,%1},{%2,%3},{%4},{%5,%6}", IN2("=" s, d), IN2(r, a), IN1(r, b),     \
         IN2(s, c))
#define K422(name, R, r, S, s, form)                                                                         \
  KERNEL(name, R, S, 4, 2, 2, form, "{%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%9}", IN2("=" s, d), IN4(r, a),       \
         IN2(r, b), IN2(s, c))
#define K214(name, R, r, S, s, form)                                                                         \
  KERNEL(name, R, S, 2, 1, 4, form, "{%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10}", IN4("=" s, d), IN2(r, a),   \
         IN1(r, b), IN4(s, c))
#define K424(name, R, r, S, s, form)                                                                         \
  KERNEL(name, R, S, 4, 2, 4, form, "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13}", IN4("=" s, d),  \
         IN4(r, a), IN2(r, b), IN4(s, c))
#define K844(name, R, r, S, s, form)                                                                         \
  KERNEL(name, R, S, 8, 4, 4, form,                                                                          \
         "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%16,%17,%18,%19}", IN4("=" s, d),     \
         IN8(r, a), IN4(r, b), IN4(s, c))

K214(f16_k8, u32, "r", float, "f", "m16n8k8.row.col.f32.f16.f16.f32")
K424(f16_k16, u32, "r", float, "f", "m16n8k16.row.col.f32.f16.f16.f32")
K212(half_k8, u32, "r", u32, "r", "m16n8k8.row.col.f16.f16.f16.f16")
K422(half_k16, u32, "r", u32, "r", "m16n8k16.row.col.f16.f16.f16.f16")
K214(bf16_k8, u32, "r", float, "f", "m16n8k8.row.col.f32.bf16.bf16.f32")
K424(bf16_k16, u32, "r", float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32")
K214(tf32_k4, u32, "r", float, "f", "m16n8k4.row.col.f32.tf32.tf32.f32")
K424(tf32_k8, u32, "r", float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32")
K112(s8_m8, u32, "r", u32, "r", "m8n8k16.row.col.s32.s8.s8.s32")
K214(u8_s8_k16, u32, "r", u32, "r", "m16n8k16.row.col.s32.u8.s8.s32")
K424(s8_u8_k32, u32, "r", u32, "r", "m16n8k32.row.col.s32.s8.u8.s32")
K424(u8_clamped, u32, "r", u32, "r", "m16n8k32.row.col.satfinite.s32.u8.u8.s32")
K424(s8_clamped, u32, "r", u32, "r", "m16n8k32.row.col.satfinite.s32.s8.s8.s32")
K112(u4_m8, u32, "r", u32, "r", "m8n8k32.row.col.s32.u4.u4.s32")
K214(s4_k32, u32, "r", u32, "r", "m16n8k32.row.col.s32.s4.s4.s32")
K424(s4_u4_k64, u32, "r", u32, "r", "m16n8k64.row.col.s32.s4.u4.s32")
K112(xor_m8, u32, "r", u32, "r", "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
K214(and_k128, u32, "r", u32, "r", "m16n8k128.row.col.s32.b1.b1.s32.and.popc")
K424(xor_k256, u32, "r", u32, "r", "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
K112(f64_m8, double, "d", double, "d", "m8n8k4.row.col.f64.f64.f64.f64")
#if __CUDA_ARCH__ >= 900 || !defined __CUDA_ARCH__
K214(f64_k4, double, "d", double, "d", "m16n8k4.row.col.f64.f64.f64.f64")
K424(f64_k8, double, "d", double, "d", "m16n8k8.row.col.f64.f64.f64.f64")
K844(f64_k16, double, "d", double, "d", "m16n8k16.row.col.f64.f64.f64.f64")
#else
__global__ void f64_k4(const double *, const double *, const double *, double *) {}
__global__ void f64_k8(const double *, const double *, const double *, double *) {}
__global__ void f64_k16(const double *, const double *, const double *, double *) {}
#endif

template <class T> static T *on_device(const std::vector<T> &host) {
  T *device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class R, class S>
static std::vector<S> run(void (*kernel)(const R *, const R *, const S *, S *), const std::vector<R> &a,
                          const std::vector<R> &b, const std::vector<S> &c) {
  std::vector<S> d(c.size());
  R *pa = on_device(a), *pb = on_device(b);
  S *pc = on_device(c), *pd = on_device(d);
  kernel<<<CASES, LANES>>>(pa, pb, pc, pd);
  cudaError_t error = cudaMemcpy(d.data(), pd, d.size() * sizeof(S), cudaMemcpyDeviceToHost);
  if (error) {
    printf("%s\n", cudaGetErrorString(error));
    exit(1);
  }
  cudaFree(pa), cudaFree(pb), cudaFree(pc), cudaFree(pd);
  return d;
}

static void compare(const char *name, int number, int row, int column, u64 got, u64 expected) {
  if (got == expected || differences++ > 20)
    return;
  printf("%s: matrix %d, row %d, column %d: %#llx, expected %#llx\n", name, number, row, column,
         (unsigned long long)got, (unsigned long long)expected);
}

// An instruction on elements of `width` bits in registers of 32. value(): the bits of an element of A, B (which 0, 1)
// or C (2); sum(): the expected bits of an element of D from a row, a column, and the element of C.
template <class S, class V, class F>
static void check(const char *name, void (*kernel)(const u32 *, const u32 *, const S *, S *), int m, int k,
                  int width, int width_c, V value, F sum) {
  const int n = 8, per = 32 / width, per_c = 32 / width_c, words_a = m * k / per / LANES,
            words_b = n * k / per / LANES;
  const int words_c = m * n / per_c / LANES;
  std::vector<u32> a(CASES * m * k), b(CASES * k * n), c(CASES * m * n);
  for (auto *x : {&a, &b, &c})
    for (size_t i = 0; i < x->size(); i++)
      (*x)[i] = value(x == &a ? 0 : x == &b ? 1 : 2, (int)(i / (x->size() / CASES)));
  std::vector<u32> ra(CASES * words_a * LANES), rb(CASES * words_b * LANES), rc(CASES * words_c * LANES);
  for (int q = 0; q < CASES; q++)
    for (int l = 0; l < LANES; l++) {
      for (int i = 0; i < words_a * per; i++) {
        const Place p = place_a(m, per, l, i);
        ra[(q * words_a + i / per) * LANES + l] |= a[(q * m + p.row) * k + p.column]
                                                   << (i % per * width % 32);
      }
      for (int i = 0; i < words_b * per; i++) {
        const Place p = place_b(per, l, i);
        rb[(q * words_b + i / per) * LANES + l] |= b[(q * k + p.row) * n + p.column]
                                                   << (i % per * width % 32);
      }
      for (int i = 0; i < words_c * per_c; i++) {
        const Place p = place_c(l, i);
        rc[(q * words_c + i / per_c) * LANES + l] |= c[(q * m + p.row) * n + p.column]
                                                     << (i % per_c * width_c % 32);
      }
    }
  std::vector<S> sc(rc.size());
  memcpy(sc.data(), rc.data(), rc.size() * 4);
  const std::vector<S> d = run(kernel, ra, rb, sc);
  for (int q = 0; q < CASES; q++)
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < words_c * per_c; i++) {
        const Place p = place_c(l, i);
        u32 row[256], column[256], word;
        for (int j = 0; j < k; j++)
          row[j] = a[(q * m + p.row) * k + j], column[j] = b[(q * k + j) * n + p.column];
        memcpy(&word, &d[(q * words_c + i / per_c) * LANES + l], 4);
        const u32 got = width_c == 16 ? word >> (i % 2 * 16) & 0xffff : word;
        compare(name, q, p.row, p.column, got, sum(row, column, k, c[(q * m + p.row) * n + p.column]));
      }
}

// The first cases: small whole numbers; then similar exponents; then all; then special values among them.
static u32 random_number(Format f, int number) {
  const int bias = (1 << (f.exponent - 1)) - 1, top = (1 << f.exponent) - 1;
  const u32 bits = random_bits(), sign = bits >> 31 << (f.fraction + f.exponent), kind = random_bits() % 64;
  u32 fraction = bits & ((1u << f.fraction) - 1);
  int exponent = bias - 4 + (int)(random_bits() % 9);
  if (number % 4 == 0)
    fraction &= 3u << (f.fraction - 2), exponent = bias + (int)(random_bits() % 3);
  if (number % 4 >= 2)
    exponent = (int)(random_bits() % top);
  if (number % 4 >= 2 && kind < 8)
    exponent = 0;
  if (number % 8 == 3 && kind == 63)
    exponent = top, fraction = random_bits() % 2 ? 0 : fraction;
  if (kind == 62)
    return sign;
  return (sign | (u32)exponent << f.fraction | fraction) << f.ignored |
         (random_bits() & ((1u << f.ignored) - 1));
}

template <class S>
static void check_floats(const char *name, void (*kernel)(const u32 *, const u32 *, const S *, S *), Format f,
                         int k, bool halves) {
  const Format sum = halves ? F16 : F32;
  const int width = f.ignored ? 32 : 16;
  check(
      name, kernel, 16, k, width, halves ? 16 : 32,
      [=](int which, int number) { return random_number(which == 2 ? sum : f, number); },
      [=](const u32 *a, const u32 *b, int count, u32 c) { return fused_sum(f, a, b, count, sum, c); });
}

static int extended(u32 bits, int width, bool is_signed) {
  return is_signed && bits >> (width - 1) ? (int)bits - (1 << width) : (int)bits;
}

static void check_integers(const char *name, void (*kernel)(const u32 *, const u32 *, const u32 *, u32 *),
                           int m, int k, int width, bool sign_a, bool sign_b, bool clamped) {
  check(
      name, kernel, m, k, width, 32,
      [=](int which, int number) {
        const u32 far = random_bits() % 2 ? 0x7fffff00 : 0x80000100;
        return which < 2 ? random_bits() & ((1u << width) - 1) : number % 2 ? far : random_bits();
      },
      [=](const u32 *a, const u32 *b, int count, u32 c) {
        int64_t sum = (int32_t)c;
        for (int i = 0; i < count; i++)
          sum += extended(a[i], width, sign_a) * extended(b[i], width, sign_b);
        if (clamped)
          sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        return (u32)sum;
      });
}

static void check_bits(const char *name, void (*kernel)(const u32 *, const u32 *, const u32 *, u32 *), int m,
                       int k, bool ands) {
  check(
      name, kernel, m, k, 1, 32,
      [=](int which, int) { return which == 2 ? random_bits() : random_bits() & 1; },
      [=](const u32 *a, const u32 *b, int count, u32 c) {
        for (int i = 0; i < count; i++)
          c += ands ? a[i] & b[i] : a[i] ^ b[i];
        return c;
      });
}

static void check_doubles(const char *name,
                          void (*kernel)(const double *, const double *, const double *, double *), int m,
                          int k) {
  const int n = 8, na = m * k / LANES, nb = n * k / LANES, nc = m * n / LANES;
  std::vector<double> a(CASES * na * LANES), b(CASES * nb * LANES), c(CASES * nc * LANES);
  for (auto *x : {&a, &b, &c})
    for (double &y : *x)
      y = ldexp((double)random_bits() - 0x80000000u, (int)(random_bits() % 40) - 20) / 3;
  const std::vector<double> d = run(kernel, a, b, c);
  for (int q = 0; q < CASES; q++)
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < nc; i++) {
        const Place p = place_c(l, i);
        double sum = c[(q * nc + i) * LANES + l];
        for (int j = 0; j < k; j++) { // who holds the elements: the inverse of place_a and place_b
          const int la = p.row % 8 * 4 + j % 4, ia = m == 8 ? 0 : p.row / 8 + j / 4 * 2;
          sum = fma(a[(q * na + ia) * LANES + la], b[(q * nb + j / 4) * LANES + p.column * 4 + j % 4], sum);
        }
        u64 bits[2];
        memcpy(&bits[0], &d[(q * nc + i) * LANES + l], 8), memcpy(&bits[1], &sum, 8);
        compare(name, q, p.row, p.column, bits[0], bits[1]);
      }
}

// ldmatrix of 1, 2 and 4 matrices whose rows lie in `pitch` bytes; out: registers by matrix, then lane.
template <int COUNT, bool TRANSPOSED> __global__ void load_rows(u32 *out, int pitch) {
  __shared__ __align__(16) unsigned char rows[32 * 80];
  u32 r[4] = {};
  for (int i = threadIdx.x; i < 32 * 80 / 2; i += LANES)
    ((unsigned short *)rows)[i] = (unsigned short)i;
  __syncwarp();
  const u32 at = (u32)__cvta_generic_to_shared(rows + threadIdx.x * pitch);
  if (COUNT == 1 && !TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
  if (COUNT == 1 && TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
  if (COUNT == 2 && !TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "l"(rows + threadIdx.x * pitch));
  if (COUNT == 2 && TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(at));
  if (COUNT == 4 && !TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  if (COUNT == 4 && TRANSPOSED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  for (int i = 0; i < COUNT; i++)
    out[i * LANES + threadIdx.x] = r[i];
}

template <int COUNT, bool TRANSPOSED> static void check_rows(int pitch) {
  std::vector<u32> words(COUNT * LANES);
  u32 *device = on_device(words);
  load_rows<COUNT, TRANSPOSED><<<1, LANES>>>(device, pitch);
  cudaMemcpy(words.data(), device, words.size() * 4, cudaMemcpyDeviceToHost);
  for (int k = 0; k < COUNT; k++)
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < 2; i++) {
        const int row = TRANSPOSED ? l % 4 * 2 + i : l / 4, column = TRANSPOSED ? l / 4 : l % 4 * 2 + i;
        const u32 got = words[k * LANES + l] >> 16 * i & 0xffff;
        compare("ldmatrix", COUNT * 100 + TRANSPOSED * 10 + k, row, column, got,
                (8 * k + row) * pitch / 2 + column);
      }
  cudaFree(device);
}

// stmatrix is the inverse of ldmatrix, and movmatrix transposes.
__global__ void store_rows(u32 *out) {
#if __CUDA_ARCH__ >= 900
  __shared__ __align__(16) unsigned short rows[32 * 8];
  const u32 at = (u32)__cvta_generic_to_shared(rows + threadIdx.x * 8), t = threadIdx.x;
  u32 moved;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at), "r"(t),
               "r"(t + 100), "r"(t + 200), "r"(t + 300));
  __syncwarp();
  for (int i = 0; i < 4; i++)
    out[i * LANES + t] = ((u32 *)rows)[i * LANES + t];
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at), "r"(t | t << 24));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(t | t << 24));
  __syncwarp();
  out[4 * LANES + t] = ((u32 *)rows)[t] ^ moved;
  out[5 * LANES + t] = moved;
#endif
}

static void check_stores() {
  std::vector<u32> words(6 * LANES);
  u32 *device = on_device(words);
  store_rows<<<1, LANES>>>(device);
  cudaMemcpy(words.data(), device, words.size() * 4, cudaMemcpyDeviceToHost);
  for (int l = 0; l < LANES; l++) {
    for (int k = 0; k < 4; k++)
      compare("stmatrix", k, l / 4, l % 4 * 2, words[k * LANES + l], (u32)(l + 100 * k));
    compare("stmatrix.trans", 0, l / 4, l % 4 * 2, words[4 * LANES + l], 0);
    u32 expected = 0;
    for (int i = 0; i < 2; i++) { // element (row, column) of the transposed matrix is (column, row)
      const int row = l % 4 * 2 + i, column = l / 4, from = row * 4 + column / 2;
      expected |= (column % 2 ? (u32)from << 8 : (u32)from) << 16 * i;
    }
    compare("movmatrix", 0, l / 4, l % 4 * 2, words[5 * LANES + l], expected);
  }
  cudaFree(device);
}

int main() {
  check_floats("f16 k8", f16_k8, F16, 8, false);
  check_floats("f16 k16", f16_k16, F16, 16, false);
  check_floats("f16 to f16, k8", half_k8, F16, 8, true);
  check_floats("f16 to f16, k16", half_k16, F16, 16, true);
  check_floats("bf16 k8", bf16_k8, BF16, 8, false);
  check_floats("bf16 k16", bf16_k16, BF16, 16, false);
  check_floats("tf32 k4", tf32_k4, TF32, 4, false);
  check_floats("tf32 k8", tf32_k8, TF32, 8, false);
  check_integers("s8 m8n8k16", s8_m8, 8, 16, 8, true, true, false);
  check_integers("u8 s8 k16", u8_s8_k16, 16, 16, 8, false, true, false);
  check_integers("s8 u8 k32", s8_u8_k32, 16, 32, 8, true, false, false);
  check_integers("u8 clamped", u8_clamped, 16, 32, 8, false, false, true);
  check_integers("s8 clamped", s8_clamped, 16, 32, 8, true, true, true);
  check_integers("u4 m8n8k32", u4_m8, 8, 32, 4, false, false, false);
  check_integers("s4 k32", s4_k32, 16, 32, 4, true, true, false);
  check_integers("s4 u4 k64", s4_u4_k64, 16, 64, 4, true, false, false);
  check_bits("xor m8n8k128", xor_m8, 8, 128, false);
  check_bits("and k128", and_k128, 16, 128, true);
  check_bits("xor k256", xor_k256, 16, 256, false);
  check_doubles("f64 m8n8k4", f64_m8, 8, 4);
  check_doubles("f64 m16n8k4", f64_k4, 16, 4);
  check_doubles("f64 m16n8k8", f64_k8, 16, 8);
  check_doubles("f64 m16n8k16", f64_k16, 16, 16);
  for (int pitch : {16, 32, 80}) {
    check_rows<1, false>(pitch), check_rows<1, true>(pitch);
    check_rows<2, false>(pitch), check_rows<2, true>(pitch);
    check_rows<4, false>(pitch), check_rows<4, true>(pitch);
  }
  check_stores();
  return differences != 0;
}
