// cuFFT against the definition of the transform, summed in long double on the host. Elements between those of a layout
// must keep their values.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cufft.h>
#include <cufftXt.h>
#include <limits>
#include <vector>

#include "dense.h"

#define FFT_OK(call) TRUE((call) == CUFFT_SUCCESS)
typedef std::complex<long double> Exact;
typedef std::vector<Exact> Points;

template <class T> struct fft;
#define PRECISION(T, R, C, P, CC, RC, CR)                                                                    \
  template <> struct fft<T> {                                                                                \
    typedef R real;                                                                                          \
    typedef C complex;                                                                                       \
    enum { both = CUFFT_##CC, forward = CUFFT_##RC, back = CUFFT_##CR };                                     \
    static constexpr auto run = cufftExec##CC;                                                               \
    static constexpr auto from_real = cufftExec##RC;                                                         \
    static constexpr auto to_real = cufftExec##CR;                                                           \
  }
PRECISION(float, cufftReal, cufftComplex, S, C2C, R2C, C2R);
PRECISION(double, cufftDoubleReal, cufftDoubleComplex, D, Z2Z, D2Z, Z2D);

typedef std::vector<int> Sizes;
static int product(const Sizes &n) {
  int all = 1;
  for (int one : n)
    all *= one;
  return all;
}
static Points random_points(int count, bool real) {
  Points x(count);
  for (Exact &value : x) {
    const long double re = small() + small() / 16.0L;
    value = Exact(re, real ? 0 : small() + small() / 16.0L);
  }
  return x;
}

/* The definition, an axis after the other. */
static Points transformed(Points x, const Sizes &n, int sign) {
  int inner = 1;
  for (int a = (int)n.size() - 1; a >= 0; inner *= n[a--]) {
    Points roots(n[a]), y(x.size());
    for (int k = 0; k < n[a]; k++)
      roots[k] = std::polar(1.0L, sign * 2 * acosl(-1) * k / n[a]);
    for (size_t i = 0; i < x.size(); i++) {
      const int s = (int)(i / inner) % n[a];
      const Exact *line = &x[i - (size_t)s * inner];
      for (int k = 0; k < n[a]; k++)
        y[i] += line[(size_t)k * inner] * roots[(long long)s * k % n[a]];
    }
    x = y;
  }
  return x;
}

/* The first half of each Hermitian row. */
static Points halves(const Points &x, const Sizes &n) {
  Points h;
  for (size_t i = 0; i < x.size(); i++)
    if ((int)(i % n.back()) <= n.back() / 2)
      h.push_back(x[i]);
  return h;
}

/* Places of the elements: storage dimensions, stride, distance. A basic layout has none of the first. */
struct Layout {
  Sizes embed;
  int stride, distance;
  int place(const Sizes &rows, int i) const { // of element i of arrays with these rows
    int p = 0, unit = 1, rest = i % product(rows);
    for (int a = (int)rows.size() - 1; a >= 0; a--) {
      p += rest % rows[a] * unit;
      rest /= rows[a];
      unit *= embed[a];
    }
    return p * stride + i / product(rows) * distance;
  }
};
static Layout basic(const Sizes &rows) { return {rows, 1, product(rows)}; }

template <class T> static void put(std::vector<T> &to, int place, Exact value, bool real) {
  to[real ? place : 2 * place] = (T)value.real();
  if (!real)
    to[2 * place + 1] = (T)value.imag();
}
template <class T> static Exact get(const std::vector<T> &from, int place, bool real) {
  return real ? Exact(from[place]) : Exact(from[2 * place], from[2 * place + 1]);
}

/* An array of numbers in a layout; the gaps hold 77. */
template <class T>
static std::vector<T> laid_out(const Points &x, const Sizes &rows, const Layout &l, bool real) {
  int end = 0;
  for (size_t i = 0; i < x.size(); i++)
    end = std::max(end, l.place(rows, (int)i) + 1);
  std::vector<T> numbers((size_t)end * (real ? 1 : 2), 77);
  for (size_t i = 0; i < x.size(); i++)
    put(numbers, l.place(rows, (int)i), x[i], real);
  return numbers;
}

template <class T>
static void expect_close(const std::vector<T> &got, const Points &wanted, const Sizes &rows, const Layout &l,
                         bool real) {
  std::vector<char> used(got.size(), 0);
  long double error = 0, norm = 0;
  for (size_t i = 0; i < wanted.size(); i++) {
    const int p = l.place(rows, (int)i);
    error += std::norm(get(got, p, real) - wanted[i]);
    norm += std::norm(wanted[i]);
    used[real ? p : 2 * p] = used[real ? p : 2 * p + 1] = 1;
  }
  const long double bound = 2 * std::numeric_limits<T>::epsilon() * (2 + log2l((long double)product(rows)));
  if (!(sqrtl(error) <= bound * sqrtl(norm))) {
    printf("%s of", subject);
    for (int n : rows)
      printf(" %d", n);
    printf(": relative error %Lg, expected at most %Lg\n", sqrtl(error / norm), bound);
    differences++;
  }
  for (size_t i = 0; i < got.size(); i++)
    if (!used[i] && got[i] != 77) {
      printf("%s: wrote element %zu, which the layout leaves out\n", subject, i);
      differences++;
      return;
    }
}

/* One way through a plan: checks it with these layouts, in place if they are the same memory. */
template <class T>
static void check(cufftHandle plan, int type, int direction, const Sizes &n, const Points &in,
                  const Points &out, const Layout &from, const Layout &to, bool in_place) {
  typedef fft<T> f;
  typedef typename f::real real;
  typedef typename f::complex complex;
  Sizes half = n;
  half.back() = n.back() / 2 + 1;
  const bool real_in = type == f::forward, real_out = type == f::back;
  const Sizes &in_rows = real_out ? half : n, &out_rows = real_in ? half : n;
  std::vector<T> numbers = laid_out<T>(in, in_rows, from, real_in),
                 space = laid_out<T>(out, out_rows, to, real_out);
  std::fill(space.begin(), space.end(), (T)77);
  if (in_place)
    numbers.resize(std::max(numbers.size(), space.size()), 77);
  Device<T> input(numbers), output(space);
  T *result = in_place ? input.data : output.data;
  if (real_in)
    FFT_OK(f::from_real(plan, (real *)input.data, (complex *)result));
  else if (real_out)
    FFT_OK(f::to_real(plan, (complex *)input.data, (real *)result));
  else
    FFT_OK(f::run(plan, (complex *)input.data, (complex *)result, direction));
  std::vector<T> got = (in_place ? input : output).now();
  if (in_place && real_out) // the padding is not defined
    for (size_t i = 0; i < got.size(); i++)
      if ((int)i % (2 * half.back()) >= n.back())
        got[i] = 77;
  expect_close(got, out, out_rows, to, real_out);
}

template <class T> static void basic_layouts() {
  typedef fft<T> f;
  for (Sizes n : {Sizes{1}, {2},     {3},    {4},      {5},      {7},       {8},        {16},     {30},
                  {49},     {64},    {97},   {121},    {210},    {256},     {1000},     {1009},   {1024},
                  {6, 10},  {16, 1}, {1, 9}, {32, 64}, {13, 21}, {4, 5, 6}, {3, 1, 11}, {8, 8, 8}})
    for (int batches : {1, 3}) {
      const int all = product(n) * batches;
      Sizes half = n, padded = n;
      half.back() = n.back() / 2 + 1;
      padded.back() = 2 * half.back();
      cufftHandle both, forward, back;
      for (auto made :
           {std::make_pair(&both, (int)f::both), {&forward, (int)f::forward}, {&back, (int)f::back}})
        FFT_OK(cufftPlanMany(made.first, (int)n.size(), n.data(), nullptr, 1, 0, nullptr, 1, 0,
                             (cufftType)made.second, batches));
      Points x = random_points(all, false), y, z, r = random_points(all, true), h;
      const int one = product(n);
      for (int b = 0; b < batches; b++) {
        const Points part(x.begin() + b * one, x.begin() + (b + 1) * one);
        const Points real(r.begin() + b * one, r.begin() + (b + 1) * one);
        const Points ahead = transformed(part, n, -1), behind = transformed(part, n, 1);
        const Points spectrum = halves(transformed(real, n, -1), n);
        y.insert(y.end(), ahead.begin(), ahead.end());
        z.insert(z.end(), behind.begin(), behind.end());
        h.insert(h.end(), spectrum.begin(), spectrum.end());
      }
      Points scaled = r; // an inverse transform is not divided by the number of points
      for (Exact &value : scaled)
        value *= one;
      for (bool in_place : {false, true}) {
        Layout reals = basic(in_place ? padded : n);
        subject = "forward";
        check<T>(both, f::both, CUFFT_FORWARD, n, x, y, basic(n), basic(n), in_place);
        subject = "inverse";
        check<T>(both, f::both, CUFFT_INVERSE, n, x, z, basic(n), basic(n), in_place);
        subject = "real to complex";
        check<T>(forward, f::forward, 0, n, r, h, reals, basic(half), in_place);
        subject = "complex to real";
        check<T>(back, f::back, 0, n, h, scaled, basic(half), reals, in_place);
      }
      for (cufftHandle plan : {both, forward, back})
        FFT_OK(cufftDestroy(plan));
    }
}

/* Strides, distances and storage dimensions, which differ between input and output. */
static void advanced_layouts() {
  Sizes n = {6, 10}, half = {6, 6}, embed = {7, 12}, narrow = {6, 8};
  const Points x = random_points(60, false), again = random_points(60, false), r = random_points(60, true);
  Points both = x, wanted = transformed(x, n, -1), other = transformed(again, n, -1);
  both.insert(both.end(), again.begin(), again.end());
  wanted.insert(wanted.end(), other.begin(), other.end());
  const Layout from = {embed, 3, 260}, to = {embed, 2, 1}; // the outputs of a batch alternate
  cufftHandle plan;
  subject = "strided";
  FFT_OK(cufftPlanMany(&plan, 2, n.data(), embed.data(), 3, 260, embed.data(), 2, 1, CUFFT_Z2Z, 2));
  check<double>(plan, CUFFT_Z2Z, CUFFT_FORWARD, n, both, wanted, from, to, false);
  FFT_OK(cufftDestroy(plan));
  subject = "strided, real";
  FFT_OK(cufftPlanMany(&plan, 2, n.data(), embed.data(), 2, 200, narrow.data(), 1, 50, CUFFT_R2C, 1));
  check<float>(plan, CUFFT_R2C, 0, n, r, halves(transformed(r, n, -1), n), {embed, 2, 200}, {narrow, 1, 50},
               false);
  FFT_OK(cufftDestroy(plan));
}

static void plans() {
  cufftHandle plan, other;
  size_t size = 0, again = 0;
  int version = 0;
  std::vector<double> in(2 * 12, 1);
  Device<double> data(in);
  cufftDoubleComplex *z = (cufftDoubleComplex *)data.data;
  FFT_OK(cufftGetVersion(&version));
  TRUE(version == CUFFT_VERSION);
  TRUE(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  TRUE(cufftPlan1d(&plan, 8, (cufftType)3, 1) == CUFFT_INVALID_TYPE);
  TRUE(cufftExecZ2Z(12345, z, z, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  FFT_OK(cufftCreate(&plan));
  TRUE(cufftExecZ2Z(plan, z, z, CUFFT_FORWARD) == CUFFT_INVALID_PLAN); // has no shape yet
  FFT_OK(cufftSetAutoAllocation(plan, 0));
  FFT_OK(cufftMakePlan2d(plan, 3, 4, CUFFT_Z2Z, &size));
  FFT_OK(cufftEstimate2d(3, 4, CUFFT_Z2Z, &again));
  TRUE(size == again);
  if (size > 0) // NVIDIA's library needs none for this shape
    TRUE(cufftExecZ2Z(plan, z, z, CUFFT_FORWARD) == CUFFT_NO_WORKSPACE);
  Device<char> area(std::vector<char>(size, 1));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  FFT_OK(cufftSetStream(plan, stream));
  FFT_OK(cufftSetWorkArea(plan, area.data));
  TRUE(cufftExecZ2Z(plan, z, z, 0) == CUFFT_INVALID_VALUE);
  FFT_OK(cufftExecZ2Z(plan, z, z, CUFFT_FORWARD));
  OK(cudaStreamSynchronize(stream));
  const std::vector<double> got = data.now(); // equal numbers become one peak
  for (size_t i = 0; i < got.size(); i++)
    TRUE(fabs(got[i] - (i < 2 ? 12 : 0)) < 1e-13);
  FFT_OK(cufftPlan3d(&other, 2, 3, 2, CUFFT_D2Z));
  TRUE(other != plan);
  OK(cudaMemcpy(z, in.data(), sizeof(double) * in.size(), cudaMemcpyHostToDevice));
  FFT_OK(cufftExecZ2Z(other, z, z, CUFFT_FORWARD)); // does what the plan was made for
  std::vector<double> sum(2);
  OK(cudaMemcpy(sum.data(), z, sizeof(double) * sum.size(), cudaMemcpyDeviceToHost));
  TRUE(fabs(sum[0] - 12) < 1e-13 && fabs(sum[1]) < 1e-13);
  TRUE(cufftExecZ2D(other, z, (double *)z) == CUFFT_INVALID_VALUE); // the other direction
  FFT_OK(cufftDestroy(plan));
  FFT_OK(cufftDestroy(other));
  TRUE(cufftDestroy(other) == CUFFT_INVALID_PLAN);
  OK(cudaStreamDestroy(stream));
}

// The interface that names the types of the elements gives the bits of the other one.
static void named_types() {
  enum { N = 30, HALF = N / 2 + 1, BATCHES = 4 };
  std::vector<double> in(2 * N * BATCHES);
  for (double &x : in)
    x = small() + small() / 16.0;
  const struct {
    cudaDataType input, output;
    cufftType type;
    int direction, inputs, outputs;
  } cases[] = {{CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z, CUFFT_INVERSE, 2 * N, 2 * N},
               {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z, CUFFT_FORWARD, N, 2 * HALF},
               {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D, CUFFT_INVERSE, 2 * HALF, N}};
  for (const auto &c : cases) {
    cufftHandle one, other;
    size_t size = 0, same = 1;
    long long n = N,
              of_input = c.input == CUDA_R_64F ? N
                         : c.type == CUFFT_Z2D ? HALF
                                               : N,
              of_output = c.output == CUDA_R_64F ? N
                          : c.type == CUFFT_D2Z  ? HALF
                                                 : N;
    Device<double> from(in), to_one(std::vector<double>(c.outputs * BATCHES)), to_other(to_one.now());
    FFT_OK(cufftCreate(&one));
    FFT_OK(cufftXtMakePlanMany(one, 1, &n, &of_input, 1, of_input, c.input, &of_output, 1, of_output,
                               c.output, BATCHES, &size, CUDA_C_64F));
    FFT_OK(cufftXtExec(one, from.data, to_one.data, c.direction));
    if (c.type != CUFFT_Z2Z)
      TRUE(cufftXtExec(one, from.data, to_one.data, -c.direction) != CUFFT_SUCCESS);
    FFT_OK(cufftPlan1d(&other, N, c.type, BATCHES));
    FFT_OK(cufftGetSize(other, &same));
    TRUE(size == same);
    OK(cudaMemcpy(from.data, in.data(), sizeof(double) * in.size(), cudaMemcpyHostToDevice));
    if (c.type == CUFFT_Z2Z)
      FFT_OK(cufftExecZ2Z(other, (double2 *)from.data, (double2 *)to_other.data, c.direction));
    else if (c.type == CUFFT_D2Z)
      FFT_OK(cufftExecD2Z(other, from.data, (double2 *)to_other.data));
    else
      FFT_OK(cufftExecZ2D(other, (double2 *)from.data, to_other.data));
    OK(cudaDeviceSynchronize());
    TRUE(to_one.now() == to_other.now());
    FFT_OK(cufftDestroy(one));
    FFT_OK(cufftDestroy(other));
  }
  cufftHandle plan;
  size_t size;
  long long n = N;
  FFT_OK(cufftCreate(&plan));
  TRUE(cufftXtMakePlanMany(plan, 1, &n, nullptr, 1, 1, CUDA_R_64F, nullptr, 1, 1, CUDA_R_64F, 1, &size,
                           CUDA_C_64F) == CUFFT_INVALID_TYPE);
  FFT_OK(cufftDestroy(plan));
}

int main() {
  return run_parts({{"single precision", basic_layouts<float>},
                    {"double precision", basic_layouts<double>},
                    {"advanced layouts", advanced_layouts},
                    {"plans", plans},
                    {"named types", named_types}});
}
