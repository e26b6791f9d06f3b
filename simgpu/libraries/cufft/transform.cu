/* Stockham's algorithm, as described by N. K. Govindaraju et al., "High Performance Discrete Fourier Transforms on
 * Graphics Processors", 2008. A pass over an axis combines R parts and leaves the elements in order. The number of
 * operations is proportional to n times the sum of n's prime factors. */
#include "transform.h"

#include <cmath>
#include <vector>

template <typename T> struct complex { T x, y; };
template <typename T> __device__ static complex<T> operator+(complex<T> a, complex<T> b) {
  return {a.x + b.x, a.y + b.y};
}
template <typename T> __device__ static complex<T> operator-(complex<T> a, complex<T> b) {
  return {a.x - b.x, a.y - b.y};
}
template <typename T> __device__ static complex<T> operator*(complex<T> a, complex<T> b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <typename T> __device__ static complex<T> conjugate_if(bool yes, complex<T> a) {
  return {a.x, yes ? -a.y : a.y};
}

enum { THREADS = 256 };
static unsigned blocks_for(long long n) { return (unsigned)((n + THREADS - 1) / THREADS); }

/* An axis during a pass: n elements at a distance of `inner`, of which groups of `done` are transformed. */
template <typename T> struct axis {
  long long n, inner, done;
  const complex<T> *roots;
  bool inverse;
  __device__ complex<T> root(long long k) const { return conjugate_if(inverse, roots[k]); }
};

/* A thread combines R elements of one line. */
template <typename T, int R>
__global__ void __launch_bounds__(THREADS)
    combine(axis<T> a, long long threads, const complex<T> *from, complex<T> *to) {
  const long long t = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (t >= threads)
    return;
  const long long parts = a.n / R, j = t / a.inner % parts, in_group = j % a.done;
  const long long line = t / a.inner / parts * a.n * a.inner + t % a.inner;
  const long long turn = in_group * (parts / a.done);
  complex<T> v[R];
#pragma unroll
  for (int r = 0; r < R; r++) {
    v[r] = from[line + (j + r * parts) * a.inner];
    if (r)
      v[r] = v[r] * a.root(r * turn);
  }
  to += line + ((j - in_group) * R + in_group) * a.inner;
  const long long step = a.done * a.inner;
  if constexpr (R == 2) {
    to[0] = v[0] + v[1];
    to[step] = v[0] - v[1];
  } else if constexpr (R == 4) {
    const complex<T> even = v[0] + v[2], odd = v[0] - v[2], sum = v[1] + v[3], d = v[1] - v[3];
    const complex<T> turned = {a.inverse ? -d.y : d.y, a.inverse ? d.x : -d.x};
    to[0] = even + sum;
    to[step] = odd + turned;
    to[2 * step] = even - sum;
    to[3 * step] = odd - turned;
  } else {
#pragma unroll
    for (int s = 0; s < R; s++) {
      complex<T> sum = v[0];
#pragma unroll
      for (int r = 1; r < R; r++)
        sum = sum + v[r] * a.root(r * s % R * parts);
      to[s * step] = sum;
    }
  }
}

/* The same for any radix: a thread computes one of the elements. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    combine_any(axis<T> a, int radix, long long threads, const complex<T> *from, complex<T> *to) {
  const long long t = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (t >= threads)
    return;
  const long long parts = a.n / radix, i = t / a.inner % a.n, in_group = i % a.done;
  const long long s = i / a.done % radix, j = i / (a.done * radix) * a.done + in_group;
  const long long line = t / a.inner / a.n * a.n * a.inner + t % a.inner;
  const long long step = in_group * (parts / a.done) + s * parts; /* of the root's index, at most n */
  long long k = 0;
  complex<T> sum = {0, 0};
  for (int r = 0; r < radix; r++) {
    sum = sum + from[line + (j + r * parts) * a.inner] * a.root(k);
    k += step;
    k -= k >= a.n ? a.n : 0;
  }
  to[t] = sum;
}

/* The place of a point in memory. */
__device__ static long long place(const layout &l, long long batch, const long long at[CUFFT_AXES]) {
  return batch * l.distance + ((at[0] * l.stored[1] + at[1]) * l.stored[2] + at[2]) * l.stride;
}
__device__ static long long split(const shape &s, long long point, long long row, long long at[CUFFT_AXES]) {
  at[2] = point % row;
  at[1] = point / row % s.size[1];
  at[0] = point / row / s.size[1] % s.size[0];
  return point / row / s.size[1] / s.size[0];
}

enum content { COMPLEX, REAL, HERMITIAN };

/* Copies the input to the work area: real numbers get a zero, Hermitian rows their second half. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    gather(shape s, layout l, content content, const void *from, complex<T> *to) {
  const long long t = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (t >= s.points() * s.batches)
    return;
  long long at[CUFFT_AXES];
  const long long batch = split(s, t, s.size[2], at);
  const bool mirrored = content == HERMITIAN && at[2] >= s.half();
  for (int a = 0; mirrored && a < CUFFT_AXES; a++)
    at[a] = at[a] ? s.size[a] - at[a] : 0;
  const long long p = place(l, batch, at);
  if (content == REAL)
    to[t] = {((const T *)from)[p], 0};
  else
    to[t] = conjugate_if(mirrored, ((const complex<T> *)from)[p]);
}

/* Copies the work area to the output: of a Hermitian row only the first half, of real numbers only these. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    scatter(shape s, layout l, content content, const complex<T> *from, void *to) {
  const long long row = content == HERMITIAN ? s.half() : s.size[2];
  const long long t = blockIdx.x * (long long)THREADS + threadIdx.x;
  long long at[CUFFT_AXES];
  const long long batch = split(s, t, row, at);
  if (batch >= s.batches)
    return;
  const complex<T> value =
      from[(batch * s.size[0] * s.size[1] + at[0] * s.size[1] + at[1]) * s.size[2] + at[2]];
  const long long p = place(l, batch, at);
  if (content == REAL)
    ((T *)to)[p] = value.x;
  else
    ((complex<T> *)to)[p] = value;
}

/* The radix of the next pass over what is left of n. */
static int next_radix(long long n) {
  for (int radix : {4, 2, 3, 5, 7})
    if (n % radix == 0)
      return radix;
  for (long long radix = 11; radix * radix <= n; radix += 2)
    if (n % radix == 0)
      return (int)radix;
  return (int)n;
}

template <typename T>
static void pass(const axis<T> &a, int radix, long long all, complex<T> *from, complex<T> *to,
                 cudaStream_t stream) {
  const long long threads = radix <= 7 ? all / radix : all;
  const unsigned blocks = blocks_for(threads);
  switch (radix) {
  case 2:
    combine<T, 2><<<blocks, THREADS, 0, stream>>>(a, threads, from, to);
    break;
  case 3:
    combine<T, 3><<<blocks, THREADS, 0, stream>>>(a, threads, from, to);
    break;
  case 4:
    combine<T, 4><<<blocks, THREADS, 0, stream>>>(a, threads, from, to);
    break;
  case 5:
    combine<T, 5><<<blocks, THREADS, 0, stream>>>(a, threads, from, to);
    break;
  case 7:
    combine<T, 7><<<blocks, THREADS, 0, stream>>>(a, threads, from, to);
    break;
  default:
    combine_any<T><<<blocks, THREADS, 0, stream>>>(a, radix, threads, from, to);
  }
}

static content content_of(cufftType type, bool input) {
  switch (type) {
  case CUFFT_R2C:
  case CUFFT_D2Z:
    return input ? REAL : HERMITIAN;
  case CUFFT_C2R:
  case CUFFT_Z2D:
    return input ? HERMITIAN : REAL;
  default:
    return COMPLEX;
  }
}

template <typename T>
static cufftResult run(const transform *t, const void *input, void *output, bool inverse) {
  const long long all = t->shape.points() * t->shape.batches;
  complex<T> *from = (complex<T> *)t->area, *to = from + all;
  gather<<<blocks_for(all), THREADS, 0, t->stream>>>(t->shape, t->input, content_of(t->type, true), input,
                                                     from);
  long long inner = 1;
  for (int i = CUFFT_AXES - 1; i >= 0; i--) {
    axis<T> a = {t->shape.size[i], inner, 1, (const complex<T> *)t->roots.axis[i], inverse};
    for (int radix; a.done < a.n; a.done *= radix) {
      radix = next_radix(a.n / a.done);
      pass(a, radix, all, from, to, t->stream);
      complex<T> *swap = from;
      from = to;
      to = swap;
    }
    inner *= a.n;
  }
  scatter<<<blocks_for(all), THREADS, 0, t->stream>>>(t->shape, t->output, content_of(t->type, false), from,
                                                      output);
  return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult transform_run(const struct transform *t, const void *input, void *output, bool inverse) {
  return transform_is_double(t->type) ? run<double>(t, input, output, inverse)
                                      : run<float>(t, input, output, inverse);
}

template <typename T> static void *make_roots(long long n) {
  std::vector<complex<T>> values(n);
  for (long long k = 0; k < n; k++) {
    const double angle = -2 * M_PI * (double)k / (double)n;
    values[k] = {(T)cos(angle), (T)sin(angle)};
  }
  void *table = nullptr;
  if (cudaMalloc(&table, n * sizeof(complex<T>)) != cudaSuccess)
    return nullptr;
  cudaMemcpy(table, values.data(), n * sizeof(complex<T>), cudaMemcpyHostToDevice);
  return table;
}

void *transform_roots(cufftType type, long long n) {
  return transform_is_double(type) ? make_roots<double>(n) : make_roots<float>(n);
}
