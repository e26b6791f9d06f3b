// One kernel for every intrinsic function of the toolkit's headers that needs no tensor core, texture or
// cluster. test_device_intrinsics.c loads the PTX that nvcc emits for several architectures: the device must
// refuse no function. Other tests check the results (opcodes.c, validation/).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

typedef long long ll;
typedef unsigned int uint;
typedef unsigned long long ull;
typedef __half half_t;
typedef __nv_bfloat16 bf;
typedef __nv_bfloat162 bf2;

// KERNEL(name, type of results, type of arguments, expression in a, b, c)
#define KERNEL(name, R, A, expr)                                                                             \
  __global__ void name(R *r, const A *p) {                                                                   \
    [[maybe_unused]] A a = p[threadIdx.x], b = p[threadIdx.x + 32], c = p[threadIdx.x + 64];                 \
    r[threadIdx.x] = expr;                                                                                   \
  }
#define BOTH(f, args)                                                                                        \
  ;                                                                                                          \
  KERNEL(f##_f, float, float, f args);                                                                       \
  KERNEL(f##_d, double, double, f args)
#define ROUNDED(f, R, A, args)                                                                               \
  ;                                                                                                          \
  KERNEL(k##f##_rn, R, A, f##_rn args);                                                                      \
  DIRECTED(f, R, A, args)
#define DIRECTED(f, R, A, args)                                                                              \
  KERNEL(k##f##_rz, R, A, f##_rz args);                                                                      \
  KERNEL(k##f##_ru, R, A, f##_ru args);                                                                      \
  KERNEL(k##f##_rd, R, A, f##_rd args)

// math_functions.h
#define ONE(f)                                                                                               \
  ;                                                                                                          \
  BOTH(f, (a))
ONE(acos);
ONE(acosh);
ONE(asin);
ONE(asinh);
ONE(atan);
ONE(atanh);
ONE(cbrt);
ONE(ceil);
ONE(cos);
ONE(cosh);
ONE(cospi);
ONE(cyl_bessel_i0);
ONE(cyl_bessel_i1);
ONE(erf);
ONE(erfc);
ONE(erfcinv);
ONE(erfcx);
ONE(erfinv);
ONE(exp);
ONE(exp10);
ONE(exp2);
ONE(expm1);
ONE(fabs);
ONE(floor);
ONE(ilogb);
ONE(j0);
ONE(j1);
ONE(lgamma);
ONE(llrint);
ONE(llround);
ONE(log);
ONE(log10);
ONE(log1p);
ONE(log2);
ONE(logb);
ONE(lrint);
ONE(lround);
ONE(nearbyint);
ONE(normcdf);
ONE(normcdfinv);
ONE(rcbrt);
ONE(rint);
ONE(round);
ONE(rsqrt);
ONE(sin);
ONE(sinh);
ONE(sinpi);
ONE(sqrt);
ONE(tan);
ONE(tanh);
ONE(tgamma);
ONE(trunc);
ONE(y0);
ONE(y1);
#define TWO(f)                                                                                               \
  ;                                                                                                          \
  BOTH(f, (a, b))
TWO(atan2);
TWO(copysign);
TWO(fdim);
TWO(fmax);
TWO(fmin);
TWO(fmod);
TWO(hypot);
TWO(nextafter);
TWO(pow);
TWO(remainder);
TWO(rhypot);
BOTH(fma, (a, b, c));
BOTH(norm3d, (a, b, c));
BOTH(ldexp, (a, (int)b));
BOTH(scalbn, (a, (int)b));
BOTH(jn, ((int)b, a));
BOTH(yn, ((int)b, a));
KERNEL(classes_f, float, float, isnan(a) + 2 * isinf(b) + 4 * isfinite(c) + 8 * signbit(a));
KERNEL(classes_d, double, double, isnan(a) + 2 * isinf(b) + 4 * isfinite(c) + 8 * signbit(a));
__global__ void several_results(float *r, double *d) {
  float s, c;
  double sd, cd, whole;
  int e, q;
  sincosf(r[0], &s, &c);
  sincospi(d[0], &sd, &cd);
  r[1] = s + c + frexpf(r[2], &e) + e + modff(r[3], r + 4) + remquof(r[5], r[6], &q) + q;
  d[1] = sd + cd + modf(d[2], &whole) + whole + frexp(d[3], &e) + remquo(d[4], d[5], &q) + norm(3, d) +
         normf(5, r);
}

// device_functions.h, device_double_functions.h
ROUNDED(__fadd, float, float, (a, b));
ROUNDED(__fsub, float, float, (a, b));
ROUNDED(__fmul, float, float, (a, b));
ROUNDED(__fmaf, float, float, (a, b, c));
ROUNDED(__fdiv, float, float, (a, b));
ROUNDED(__frcp, float, float, (a));
ROUNDED(__fsqrt, float, float, (a));
KERNEL(frsqrt, float, float, __frsqrt_rn(a));
ROUNDED(__dadd, double, double, (a, b));
ROUNDED(__dsub, double, double, (a, b));
ROUNDED(__dmul, double, double, (a, b));
ROUNDED(__fma, double, double, (a, b, c));
ROUNDED(__ddiv, double, double, (a, b));
ROUNDED(__drcp, double, double, (a));
ROUNDED(__dsqrt, double, double, (a));
ROUNDED(__float2int, int, float, (a));
ROUNDED(__float2uint, uint, float, (a));
ROUNDED(__float2ll, ll, float, (a));
ROUNDED(__float2ull, ull, float, (a));
ROUNDED(__double2int, int, double, (a));
ROUNDED(__double2uint, uint, double, (a));
ROUNDED(__double2ll, ll, double, (a));
ROUNDED(__double2ull, ull, double, (a));
ROUNDED(__double2float, float, double, (a));
ROUNDED(__int2float, float, int, (a));
ROUNDED(__uint2float, float, uint, (a));
ROUNDED(__ll2float, float, ll, (a));
ROUNDED(__ull2float, float, ull, (a));
ROUNDED(__ll2double, double, ll, (a));
ROUNDED(__ull2double, double, ull, (a));
KERNEL(saturate, float, float,
       __saturatef(a + b) + __saturatef(a * b) + __saturatef(fmaf(a, b, c)) + __saturatef(a));
KERNEL(saturate_directed, float, float, __saturatef(__fadd_rz(a, b)) + __saturatef(__fmaf_ru(a, b, c)));
KERNEL(fast, float, float,
       __cosf(a) + __sinf(b) + __tanf(c) + __expf(a) + __exp10f(b) + __logf(c) + __log2f(a) + __log10f(b) +
           __powf(a, b) + __fdividef(a, c));
#define INT3(f, T)                                                                                           \
  ;                                                                                                          \
  KERNEL(k##f, T, T, f(a, b, c))
#define INT2(f, T)                                                                                           \
  ;                                                                                                          \
  KERNEL(k##f, T, T, f(a, b))
#define INT1(f, T)                                                                                           \
  ;                                                                                                          \
  KERNEL(k##f, T, T, f(a))
INT1(__brev, uint);
INT1(__brevll, ull);
INT1(__clz, int);
INT1(__clzll, ll);
INT1(__ffs, int);
INT1(__ffsll, ll);
INT1(__popc, uint);
INT1(__popcll, ull);
INT3(__byte_perm, uint);
INT3(__fns, int);
INT3(__funnelshift_l, uint);
INT3(__funnelshift_lc, uint);
INT3(__funnelshift_r, uint);
INT3(__funnelshift_rc, uint);
INT2(__hadd, int);
INT2(__rhadd, int);
INT2(__uhadd, uint);
INT2(__urhadd, uint);
INT2(__mul24, int);
INT2(__umul24, uint);
INT2(__mulhi, int);
INT2(__umulhi, uint);
INT2(__mul64hi, ll);
INT2(__umul64hi, ull);
INT3(__sad, int);
INT3(__usad, uint);
INT3(__dp4a, int);
KERNEL(dp2a, int, int,
       __dp2a_lo(make_short2(a, b), make_char4(b, a, c, 1), c) +
           __dp2a_hi(make_short2(a, b), make_char4(b, a, c, 1), c));
KERNEL(reinterpret, float, int, __int_as_float(a) + __uint_as_float(b) + (float)__hiloint2double(a, c));
KERNEL(parts, int, double, __double2hiint(a) + __double2loint(b));
INT2(min, int);
INT2(max, ull);
KERNEL(absolute, ll, ll, llabs(a) + abs((int)b));
#define SIMD2(f)                                                                                             \
  ;                                                                                                          \
  INT2(f##2, uint);                                                                                          \
  INT2(f##4, uint)
#define SIMD1(f)                                                                                             \
  ;                                                                                                          \
  INT1(f##2, uint);                                                                                          \
  INT1(f##4, uint)
SIMD1(__vabs);
SIMD2(__vabsdiffs);
SIMD2(__vabsdiffu);
SIMD1(__vabsss);
SIMD2(__vadd);
SIMD2(__vaddss);
SIMD2(__vaddus);
SIMD2(__vavgs);
SIMD2(__vavgu);
SIMD2(__vcmpeq);
SIMD2(__vcmpges);
SIMD2(__vcmpgeu);
SIMD2(__vcmpgts);
SIMD2(__vcmpgtu);
SIMD2(__vcmples);
SIMD2(__vcmpleu);
SIMD2(__vcmplts);
SIMD2(__vcmpltu);
SIMD2(__vcmpne);
SIMD2(__vhaddu);
SIMD2(__vmaxs);
SIMD2(__vmaxu);
SIMD2(__vmins);
SIMD2(__vminu);
SIMD1(__vneg);
SIMD1(__vnegss);
SIMD2(__vsads);
SIMD2(__vsadu);
SIMD2(__vseteq);
SIMD2(__vsetges);
SIMD2(__vsetgeu);
SIMD2(__vsetgts);
SIMD2(__vsetgtu);
SIMD2(__vsetles);
SIMD2(__vsetleu);
SIMD2(__vsetlts);
SIMD2(__vsetltu);
SIMD2(__vsetne);
SIMD2(__vsub);
SIMD2(__vsubss);
SIMD2(__vsubus);
INT3(__viaddmax_s32, int);
INT3(__viaddmax_s32_relu, int);
INT3(__viaddmax_u32, uint);
INT3(__viaddmin_s32, int);
INT3(__vimax3_s32, int);
INT3(__vimax3_s32_relu, int);
INT3(__vimin3_s32_relu, int);
INT3(__vimin3_u32, uint);
INT2(__vimax_s32_relu, int);
INT2(__vimin_s32_relu, int);
INT3(__viaddmax_s16x2, uint);
INT3(__viaddmax_s16x2_relu, uint);
INT3(__viaddmin_u16x2, uint);
INT3(__vimax3_s16x2, uint);
INT3(__vimin3_u16x2, uint);
INT3(__vimax3_s16x2_relu, uint);
INT2(__vimax_s16x2_relu, uint);
INT2(__vimin_s16x2_relu, uint);
KERNEL(vibmax, uint, uint, ({
         bool p, q;
         uint r = __vibmax_u16x2(a, b, &p, &q) + __vibmin_s32(a, c, &p);
         r + p + q;
       }));

// cuda_fp16.h, cuda_bf16.h
#define HALF2(f)                                                                                             \
  ;                                                                                                          \
  KERNEL(k##f, half_t, half_t, f(a, b));                                                                     \
  KERNEL(k##f##_bf, bf, bf, f(a, b));                                                                        \
  KERNEL(k##f##2, half2, half2, f##2(a, b));                                                                 \
  KERNEL(k##f##2_bf, bf2, bf2, f##2(a, b))
#define HALF2_OF(f, f2)                                                                                      \
  ;                                                                                                          \
  KERNEL(k##f, half_t, half_t, f(a, b));                                                                     \
  KERNEL(k##f##_bf, bf, bf, f(a, b));                                                                        \
  KERNEL(k##f2, half2, half2, f2(a, b));                                                                     \
  KERNEL(k##f2##_bf, bf2, bf2, f2(a, b))
#define HALF3_OF(f, f2)                                                                                      \
  ;                                                                                                          \
  KERNEL(k##f, half_t, half_t, f(a, b, c));                                                                  \
  KERNEL(k##f##_bf, bf, bf, f(a, b, c));                                                                     \
  KERNEL(k##f2, half2, half2, f2(a, b, c));                                                                  \
  KERNEL(k##f2##_bf, bf2, bf2, f2(a, b, c))
#define HALF1_OF(f, f2)                                                                                      \
  ;                                                                                                          \
  KERNEL(k##f, half_t, half_t, f(a));                                                                        \
  KERNEL(k##f##_bf, bf, bf, f(a));                                                                           \
  KERNEL(k##f2, half2, half2, f2(a));                                                                        \
  KERNEL(k##f2##_bf, bf2, bf2, f2(a))
HALF2_OF(__hadd, __hadd2);
HALF2_OF(__hsub, __hsub2);
HALF2_OF(__hmul, __hmul2);
HALF2_OF(__hadd_rn, __hadd2_rn);
HALF2_OF(__hsub_rn, __hsub2_rn);
HALF2_OF(__hmul_rn, __hmul2_rn);
HALF2_OF(__hadd_sat, __hadd2_sat);
HALF2_OF(__hsub_sat, __hsub2_sat);
HALF2_OF(__hmul_sat, __hmul2_sat);
HALF2_OF(__hdiv, __h2div);
#if __CUDA_ARCH__ >= 800 // the toolkit's first architecture that has these for bf16
HALF3_OF(__hfma, __hfma2);
HALF3_OF(__hfma_sat, __hfma2_sat);
HALF3_OF(__hfma_relu, __hfma2_relu);
KERNEL(cmadd_bf, bf2, bf2, __hcmadd(a, b, c));
#endif
HALF1_OF(__hneg, __hneg2);
HALF1_OF(__habs, __habs2);
HALF2_OF(__hmax, __hmax2);
HALF2_OF(__hmin, __hmin2);
HALF2_OF(__hmax_nan, __hmax2_nan);
HALF2_OF(__hmin_nan, __hmin2_nan);
#define HCMP(f)                                                                                              \
  ;                                                                                                          \
  KERNEL(k##f, bool, half_t, f(a, b));                                                                       \
  KERNEL(k##f##_bf, bool, bf, f(a, b));                                                                      \
  KERNEL(k##f##2, half2, half2, f##2(a, b));                                                                 \
  KERNEL(k##f##2_bf, bf2, bf2, f##2(a, b));                                                                  \
  KERNEL(k##f##2_mask, uint, half2, f##2_mask(a, b));                                                        \
  KERNEL(k##f##2_mask_bf, uint, bf2, f##2_mask(a, b))
HCMP(__heq);
HCMP(__hne);
HCMP(__hlt);
HCMP(__hle);
HCMP(__hgt);
HCMP(__hge);
HCMP(__hequ);
HCMP(__hneu);
HCMP(__hltu);
HCMP(__hleu);
HCMP(__hgtu);
HCMP(__hgeu);
KERNEL(hb2, bool, half2, __hbeq2(a, b) && __hbltu2(b, c));
KERNEL(hb2_bf, bool, bf2, __hbeq2(a, b) && __hbltu2(b, c));
KERNEL(hnan, bool, half_t, __hisnan(a) || __hisinf(b));
KERNEL(hnan_bf, bool, bf, __hisnan(a) || __hisinf(b));
KERNEL(hnan2, half2, half2, __hisnan2(a));
KERNEL(hnan2_bf, bf2, bf2, __hisnan2(a));
#define HMATH(f)                                                                                             \
  ;                                                                                                          \
  KERNEL(kh##f, half_t, half_t, h##f(a));                                                                    \
  KERNEL(kh##f##_bf, bf, bf, h##f(a));                                                                       \
  KERNEL(kh2##f, half2, half2, h2##f(a));                                                                    \
  KERNEL(kh2##f##_bf, bf2, bf2, h2##f(a))
HMATH(ceil);
HMATH(cos);
HMATH(exp);
HMATH(exp10);
HMATH(exp2);
HMATH(floor);
HMATH(log);
HMATH(log10);
HMATH(log2);
HMATH(rcp);
HMATH(rint);
HMATH(rsqrt);
HMATH(sin);
HMATH(sqrt);
HMATH(tanh);
HMATH(trunc);
HMATH(tanh_approx);
KERNEL(cmadd, half2, half2, __hcmadd(a, b, c));
#define HTO(T, name)                                                                                         \
  ;                                                                                                          \
  ROUNDED(__half2##name, T, half_t, (a));                                                                    \
  ROUNDED(__bfloat162##name, T, bf, (a));                                                                    \
  ROUNDED(__##name##2half, half_t, T, (a));                                                                  \
  ROUNDED(__##name##2bfloat16, bf, T, (a))
HTO(int, int);
HTO(uint, uint);
HTO(short, short);
HTO(unsigned short, ushort);
HTO(ll, ll);
HTO(ull, ull);
ROUNDED(__float2half, half_t, float, (a));
ROUNDED(__float2bfloat16, bf, float, (a));
KERNEL(to_char, int, half_t, __half2char_rz(a) + __half2uchar_rz(b));
KERNEL(to_char_bf, int, bf, __bfloat162char_rz(a) + __bfloat162uchar_rz(b));
KERNEL(of_double, half_t, double, __double2half(a));
KERNEL(of_double_bf, bf, double, __double2bfloat16(a));
KERNEL(of_two, half2, float, __floats2half2_rn(a, b));
KERNEL(of_two_bf, bf2, float, __floats2bfloat162_rn(a, b));
KERNEL(of_float2, half2, float, __float2half2_rn(a));
KERNEL(to_float, float, half2, __low2float(a) + __high2float(b));
KERNEL(to_float_bf, float, bf2, __low2float(a) + __high2float(b));
KERNEL(halves, half2, half2, __hadd2(__lowhigh2highlow(a), __lows2half2(b, c)));
KERNEL(halves_bf, bf2, bf2, __hadd2(__lowhigh2highlow(a), __lows2bfloat162(b, c)));
KERNEL(operators, half2, half2, a *b + c - a / b);
KERNEL(operators_bf, bf2, bf2, a *b + c - a / b);
KERNEL(operators_h, half_t, half_t, a *b + c - a / b > c ? -a : b);
KERNEL(shuffle_h, half2, half2, __shfl_xor_sync(~0u, a, 1) + __shfl_down_sync(~0u, b, 2));
KERNEL(shuffle_bf, bf, bf, __shfl_up_sync(~0u, a, 3));
KERNEL(cached_h, half2, half2, __ldg(p) + __ldcg(p + 1) + __ldcs(p + 2) + __ldlu(p + 3) + __ldcv(p + 4));
__global__ void store_h(half2 *r, const half2 *p) {
  __stcg(r, p[0]), __stcs(r + 1, p[1]), __stwt(r + 2, p[2]), __stwb(r + 3, p[3]);
}

// Atomics
#define ATOMIC(T, name, call)                                                                                \
  __global__ void name(T *r, T *p, int i) {                                                                  \
    __shared__ T s[4];                                                                                       \
    s[threadIdx.x & 3] = T();                                                                                \
    __syncthreads();                                                                                         \
    T *q = p + i;                                                                                            \
    p[0] = call;                                                                                             \
    q = &s[i & 3];                                                                                           \
    r[0] = call;                                                                                             \
    r[1] = s[1];                                                                                             \
  }
#define ATOMICS(T)                                                                                           \
  ;                                                                                                          \
  ATOMIC(T, add_##T, atomicAdd(q, p[1]));                                                                    \
  ATOMIC(T, exch_##T, atomicExch(q, p[1]));                                                                  \
  ATOMIC(T, cas_##T, atomicCAS(q, p[1], p[2]));                                                              \
  ATOMIC(T, min_##T, atomicMin(q, p[1]));                                                                    \
  ATOMIC(T, max_##T, atomicMax(q, p[1]));                                                                    \
  ATOMIC(T, and_##T, atomicAnd(q, p[1]));                                                                    \
  ATOMIC(T, or_##T, atomicOr(q, p[1]));                                                                      \
  ATOMIC(T, xor_##T, atomicXor(q, p[1]));                                                                    \
  ATOMIC(T, sys_##T, atomicAdd_system(q, p[1]) + atomicAdd_block(q, p[2]))
ATOMICS(int);
ATOMICS(uint);
ATOMICS(ull);
ATOMIC(ll, min_ll, atomicMin(q, p[1]));
ATOMIC(ll, max_ll, atomicMax(q, p[1]));
ATOMIC(uint, inc, atomicInc(q, p[1]));
ATOMIC(uint, dec, atomicDec(q, p[1]));
ATOMIC(int, sub, atomicSub(q, p[1]));
ATOMIC(float, add_float, atomicAdd(q, p[1]));
ATOMIC(double, add_double, atomicAdd(q, p[1]));
ATOMIC(float, exch_float, atomicExch(q, p[1]));
__global__ void atomics_half(half_t *h, half2 *h2, bf *b, bf2 *b2, unsigned short *s) {
  atomicAdd(h, h[1]), atomicAdd(h2, h2[1]), h[2] = atomicAdd(h, h[3]);
  atomicAdd(b, b[1]), atomicAdd(b2, b2[1]);
  b2[2] = atomicAdd(b2, b2[3]);
  s[1] = atomicCAS(s, s[2], s[3]);
}
#if __CUDA_ARCH__ >= 900
__global__ void atomics_vector(float2 *a, float4 *b) {
  atomicAdd(a, a[1]), atomicAdd(b, b[1]), b[2] = atomicAdd(b, b[3]);
}
#endif

// Warps, blocks, memory
__global__ void warps(uint *r, float *f) {
  uint x = r[threadIdx.x];
  r[0] = __shfl_sync(~0u, x, 3) + __shfl_up_sync(~0u, x, 1) + __shfl_down_sync(~0u, x, 2) +
         __shfl_xor_sync(~0u, x, 4) + __any_sync(~0u, x) + __all_sync(~0u, x) + __ballot_sync(~0u, x) +
         __match_any_sync(~0u, x) + __activemask() + __syncthreads_and(x) + __syncthreads_or(x) +
         __syncthreads_count(x);
  int pred;
  r[1] = __match_all_sync(~0u, x, &pred) + pred;
#if __CUDA_ARCH__ >= 800
  r[2] = __reduce_add_sync(~0u, x) + __reduce_min_sync(~0u, x) + __reduce_max_sync(~0u, (int)x) +
         __reduce_xor_sync(~0u, x) + __reduce_or_sync(~0u, x) + __reduce_and_sync(~0u, x);
#endif
  f[0] = __shfl_sync(~0u, f[1], 3) + (float)__shfl_xor_sync(~0u, (double)f[2], 8);
  __syncwarp();
  __threadfence(), __threadfence_block(), __threadfence_system();
  __nanosleep(10);
}
__global__ void spaces(uint *r, int *p) {
  __shared__ int s;
  r[0] = __isGlobal(p) + __isShared(&s) + __isLocal(r) + __isConstant(p) +
         (uint)__cvta_generic_to_shared(&s) + (uint)__cvta_generic_to_global(p);
  r[1] = clock() + (uint)clock64() + __ldg(p) + __ldca(p + 1) + __ldcg(p + 2);
}
__global__ void copies(int4 *r, const int4 *p) {
  __shared__ int4 s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &p[threadIdx.x], 16);
  __pipeline_memcpy_async(&s[32], &p[threadIdx.x], 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  r[0] = s[5];
}
__global__ void barriers(int *r, const int *p) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0)
    init(&b, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&s[threadIdx.x], &p[threadIdx.x], sizeof(int), b);
  auto token = b.arrive();
  b.wait(std::move(token));
  b.arrive_and_wait();
  if (threadIdx.x == 0)
    b.arrive_and_drop();
  r[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void groups(int *r) {
  namespace cg = cooperative_groups;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  auto active = cg::coalesced_threads();
  r[block.thread_rank()] = cg::reduce(tile, r[tile.thread_rank()], cg::plus<int>()) + tile.shfl_xor(1, 2) +
                           active.size() + tile.match_any(3) + active.shfl(2, 0);
  auto part = cg::labeled_partition(tile, r[1]);
  auto halves = cg::binary_partition(tile, r[2] > 0);
  r[0] = part.size() + halves.size();
  block.sync();
}

// Functions by address
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
typedef int (*function)(int);
__device__ function table[] = {twice, square};
__constant__ function fixed = square;
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float a;
  __device__ Square(float x) : a(x) {}
  __device__ float area() const override { return a * a; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float x) : r(x) {}
  __device__ float area() const override { return 3.0f * r * r; }
};
__device__ __noinline__ float area_of(const Shape *s) { return s->area(); }
__global__ void pointers(int *r, float *f) {
  r[threadIdx.x] = table[r[threadIdx.x] & 1](3) + fixed(5);
  Square s(f[0]);
  Circle c(f[1]);
  f[2] = area_of(threadIdx.x & 1 ? (const Shape *)&s : &c);
}
