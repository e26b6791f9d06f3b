// Integer arithmetic in 8 to 128 bits, bits, number theory.
#include "harness.h"

enum { N = 300 };

// Eight results for each pair of operands; b is not 0, and not -1 if a is the minimum.
template <class T> __host__ __device__ void arithmetic(T a, T b, T *r) {
  r[0] = a + b;
  r[1] = a - b;
  r[2] = a * b;
  r[3] = a / b;
  r[4] = a % b;
  r[5] = a < b ? a : b;
  r[6] = (a >> (b & 7)) ^ (T)(a << (b & 3));
  r[7] = a / 7 + a % 10 - b / 16;
}
template <class T> __global__ void integer_arithmetic(int n, const T *a, const T *b, T *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    arithmetic(a[i], b[i], &r[8 * i]);
}
template <class T> static void test_arithmetic(T low, T high) {
  Array<T> a(N, low, high),
      b(N,
        [=](int) {
          T value = random_between(low, high);
          return value == 0 || value == T(-1) ? T(3) : value;
        }),
      r(8 * N);
  integer_arithmetic<T><<<ceil_div(N, 64), 64>>>(N, a, b, r);
  check(r, [&](int k) {
    T all[8];
    arithmetic(a[k / 8], b[k / 8], all);
    return all[k % 8];
  });
}
TEST(arithmetic_char) { test_arithmetic<signed char>(INT8_MIN, INT8_MAX); }
TEST(arithmetic_unsigned_char) { test_arithmetic<unsigned char>(0, UINT8_MAX); }
TEST(arithmetic_short) { test_arithmetic<short>(INT16_MIN, INT16_MAX); }
TEST(arithmetic_unsigned_short) { test_arithmetic<unsigned short>(0, UINT16_MAX); }
TEST(arithmetic_int) { test_arithmetic<int>(INT16_MIN, INT16_MAX); }
TEST(arithmetic_unsigned) { test_arithmetic<unsigned>(0, UINT32_MAX); }
TEST(arithmetic_long) { test_arithmetic<long long>(INT32_MIN, INT32_MAX); }
TEST(arithmetic_unsigned_long) { test_arithmetic<unsigned long long>(0, UINT64_MAX); }

__global__ void high_products(int n, const long long *a, const long long *b, long long *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  r[4 * i] = __mulhi((int)a[i], (int)b[i]);
  r[4 * i + 1] = __umulhi((unsigned)a[i], (unsigned)b[i]);
  r[4 * i + 2] = __mul64hi(a[i], b[i]);
  r[4 * i + 3] = __umul64hi(a[i], b[i]);
}
TEST(high_products) {
  Array<long long> a(N, INT64_MIN, INT64_MAX), b(N, INT64_MIN, INT64_MAX), r(4 * N);
  high_products<<<ceil_div(N, 96), 96>>>(N, a, b, r);
  check(r, [&](int k) {
    long long x = a[k / 4], y = b[k / 4];
    switch (k % 4) {
    case 0:
      return (long long)(int)x * (int)y >> 32;
    case 1:
      return (long long)((unsigned long long)(unsigned)x * (unsigned)y >> 32);
    case 2:
      return (long long)((__int128)x * y >> 64);
    default:
      return (long long)((unsigned __int128)(uint64_t)x * (uint64_t)y >> 64);
    }
  });
}

// a·b mod m, and the sum, in 128 bits.
__host__ __device__ void wide(unsigned long long a, unsigned long long b, unsigned long long *r) {
  unsigned __int128 product = (unsigned __int128)a * b + a,
                    sum = product + ((unsigned __int128)b << 64 | a) - b;
  r[0] = (unsigned long long)product;
  r[1] = (unsigned long long)(product >> 64);
  r[2] = (unsigned long long)sum;
  r[3] = (unsigned long long)(sum >> 64);
}
__global__ void wide_products(int n, const unsigned long long *a, const unsigned long long *b,
                              unsigned long long *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    wide(a[i], b[i], &r[4 * i]);
}
TEST(wide_products) {
  Array<unsigned long long> a(N, 0, UINT64_MAX), b(N, 0, UINT64_MAX), r(4 * N);
  wide_products<<<ceil_div(N, 128), 128>>>(N, a, b, r);
  check(r, [&](int k) {
    unsigned long long all[4];
    wide(a[k / 4], b[k / 4], all);
    return all[k % 4];
  });
}

__global__ void bit_tricks(int n, const unsigned *x, const unsigned *y, unsigned *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = x[i], b = y[i];
  unsigned long long both = (unsigned long long)a << 32 | b;
  r[10 * i] = __popc(a) + 100 * __popcll(both);
  r[10 * i + 1] = __clz(a) + 100 * __clzll(both);
  r[10 * i + 2] = __ffs(a) + 100 * __ffsll(both);
  r[10 * i + 3] = __brev(a);
  r[10 * i + 4] = (unsigned)__brevll(both);
  r[10 * i + 5] = __byte_perm(a, b, b & 0x7777);
  r[10 * i + 6] = __funnelshift_l(a, b, b);
  r[10 * i + 7] = __funnelshift_rc(a, b, b & 63);
  r[10 * i + 8] = __sad(a, b, 5u) + __usad(a, b, 7u);
  r[10 * i + 9] = __uhadd(a, b) ^ __urhadd(a, b) ^ __mul24(a, b) ^ __umul24(a, b);
}
static unsigned reverse(unsigned x) {
  unsigned y = 0;
  for (int bit = 0; bit < 32; bit++)
    y |= (x >> bit & 1) << (31 - bit);
  return y;
}
static unsigned bit_trick(unsigned a, unsigned b, int which) {
  unsigned long long both = (unsigned long long)a << 32 | b, swapped = (unsigned long long)b << 32 | a;
  unsigned permuted = 0, by = b & 63;
  int a24 = (int)(a << 8) >> 8, b24 = (int)(b << 8) >> 8;
  for (int k = 0; k < 4; k++)
    permuted |= (unsigned)(swapped >> (b >> 4 * k & 7) * 8 & 255) << 8 * k;
  switch (which) {
  case 0:
    return __builtin_popcount(a) + 100 * __builtin_popcountll(both);
  case 1:
    return (a ? __builtin_clz(a) : 32) + 100 * (both ? __builtin_clzll(both) : 64);
  case 2:
    return __builtin_ffs(a) + 100 * __builtin_ffsll(both);
  case 3:
    return reverse(a);
  case 4:
    return reverse(a); // the lower word of the reversed pair
  case 5:
    return permuted;
  case 6:
    return (unsigned)((swapped << (b & 31)) >> 32);
  case 7:
    return (unsigned)(swapped >> (by < 32 ? by : 32));
  case 8:
    return (unsigned)llabs((long long)(int)a - (int)b) + 5 + (a < b ? b - a : a - b) + 7;
  default:
    return (unsigned)(((unsigned long long)a + b) >> 1) ^ (unsigned)(((unsigned long long)a + b + 1) >> 1) ^
           (unsigned)a24 * b24 ^ (a & 0xffffff) * (b & 0xffffff);
  }
}
TEST(bit_tricks) {
  Array<unsigned> x(N, [](int i) { return i < 33 ? (unsigned)((1ull << i) >> 1) : (unsigned)next_random(); });
  Array<unsigned> y(N, 0, UINT32_MAX), r(10 * N);
  bit_tricks<<<ceil_div(N, 64), 64>>>(N, x, y, r);
  check(r, [&](int k) { return bit_trick(x[k / 10], y[k / 10], k % 10); });
}

// Four bytes, or two halves, at a time; the last two are dot products.
__global__ void packed(int n, const unsigned *x, const unsigned *y, unsigned *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = x[i], b = y[i];
  r[7 * i] = __vadd4(a, b);
  r[7 * i + 1] = __vsubus4(a, b);
  r[7 * i + 2] = __vmaxs2(a, b);
  r[7 * i + 3] = __vmaxu4(a, b);
  r[7 * i + 4] = __vcmpgtu2(a, b);
  r[7 * i + 5] = __dp4a((int)a, (int)b, i);
  r[7 * i + 6] = __dp2a_hi(a, b, (unsigned)i);
}
TEST(packed) {
  Array<unsigned> x(N, 0, UINT32_MAX), y(N, 0, UINT32_MAX), r(7 * N);
  packed<<<ceil_div(N, 64), 64>>>(N, x, y, r);
  check(r, [&](int k) {
    unsigned result = k % 7 > 4 ? k / 7 : 0;
    unsigned char a[4], b[4];
    memcpy(a, &x[k / 7], 4);
    memcpy(b, &y[k / 7], 4);
    for (int part = 0; part < 4; part++) {
      int p = a[part], q = b[part], half = part / 2 * 16;
      short s = (short)(x[k / 7] >> half), t = (short)(y[k / 7] >> half);
      switch (k % 7) {
      case 0:
        result |= (unsigned)((p + q) & 255) << 8 * part;
        break;
      case 1:
        result |= (unsigned)(p > q ? p - q : 0) << 8 * part;
        break;
      case 2:
        result |= (unsigned)(unsigned short)(s > t ? s : t) << half;
        break;
      case 3:
        result |= (unsigned)(p > q ? p : q) << 8 * part;
        break;
      case 4:
        result |= (unsigned short)s > (unsigned short)t ? 0xffffu << half : 0;
        break;
      case 5:
        result += (signed char)p * (signed char)q;
        break;
      default:
        result += part > 1 ? (unsigned short)(x[k / 7] >> 16 * (part - 2)) * q : 0;
      }
    }
    return result;
  });
}

__host__ __device__ unsigned greatest_divisor(unsigned a, unsigned b) {
  while (b) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
__global__ void greatest_divisors(int n, const unsigned *a, const unsigned *b, unsigned *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = greatest_divisor(a[i], b[i]);
}
TEST(greatest_divisors) {
  Array<unsigned> a(N, 1, 1000000), b(N, 0, 1000000), r(N);
  greatest_divisors<<<ceil_div(N, 96), 96>>>(N, a, b, r);
  check(r, [&](int i) { return greatest_divisor(a[i], b[i]); });
}

__host__ __device__ unsigned long long power(unsigned long long base, unsigned exponent, unsigned modulus) {
  unsigned long long result = 1;
  for (base %= modulus; exponent; exponent >>= 1, base = base * base % modulus)
    if (exponent & 1)
      result = result * base % modulus;
  return result;
}
__global__ void powers(int n, const unsigned *base, const unsigned *exponent, unsigned long long *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = power(base[i], exponent[i], 4294967291u - i);
}
TEST(powers) {
  Array<unsigned> base(N, 0, UINT32_MAX), exponent(N, 0, 100000);
  Array<unsigned long long> r(N);
  powers<<<ceil_div(N, 128), 128>>>(N, base, exponent, r);
  check(r, [&](int i) { return power(base[i], exponent[i], 4294967291u - i); });
}

// Multiples of each prime up to 31 are struck out; several threads may write the same zero.
__global__ void sieve(int n, volatile unsigned char *prime) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    prime[i] = i > 1;
  for (int p = 2; p < 32; p++) {
    __syncthreads();
    if (prime[p])
      for (int i = p * (p + threadIdx.x); i < n; i += p * blockDim.x)
        prime[i] = 0;
  }
}
TEST(sieve) {
  Array<unsigned char> prime(1000);
  sieve<<<1, 45>>>(1000, prime);
  check(prime, [](int i) {
    bool is = i > 1;
    for (int p = 2; p < i; p++)
      is = is && i % p;
    return (unsigned char)is;
  });
}
