// cuRAND's host functions against numbers that NVIDIA's library made, against published numbers, and against properties
// of the distributions.
#include <algorithm>
#include <cmath>
#include <curand.h>
#include <curand_kernel.h>
#include <functional>
#include <random>
#include <vector>

#include "semantics.h"

#define RAND_OK(call) TRUE((call) == CURAND_STATUS_SUCCESS)

template <class T> struct Numbers {
  T *data;
  size_t count;
  explicit Numbers(size_t n) : count(n) { OK(cudaMalloc(&data, n * sizeof(T))); }
  Numbers(const Numbers &) = delete;
  ~Numbers() { cudaFree(data); }
  std::vector<T> get() const {
    std::vector<T> host(count);
    OK(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
};

/* NVIDIA's library, version 10.4.0, made these numbers with curandCreateGeneratorHost, which needs no GPU: elements
 * 0, 1, 4096, 81920 and 99999 of 100000 from the seed 1234. */
static const size_t places[] = {0, 1, 4096, 81920, 99999};
static const struct {
  curandRngType_t type;
  curandOrdering_t order;
  unsigned bits[5];
  double normal[5], uniform_double[5], normal_double[5];
} recorded[] = {
    {CURAND_RNG_PSEUDO_XORWOW,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {0x253d5e15, 0xd1f7605a, 0x6f558604, 0xc5ab68df, 0x4caa267e},
     {0.7809736, -1.801578, 1.939027, 0.6303499, -1.376287},
     {0.434898804388413, 0.926416920202438, 0.455165230486129, 0.227167216676321, 0.5454257724064},
     {0.358739798524455, -1.23959250322355, 1.44385034609647, -1.49614454088629, -0.942839395797508}},
    {CURAND_RNG_PSEUDO_XORWOW,
     CURAND_ORDERING_PSEUDO_LEGACY,
     {0x253d5e15, 0xd1f7605a, 0x6f558604, 0xc5ab68df, 0x4caa267e},
     {0.7809736, -1.801578, 1.939027, 0.6303499, -1.376287},
     {0.434898804388413, 0.926416920202438, 0.455165230486129, 0.227167216676321, 0.5454257724064},
     {0.358739798524455, -1.23959250322355, 1.44385034609647, -1.49614454088629, -0.942839395797508}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {0xc96891f0, 0x26f0d612, 0x9dda211d, 0x9650c684, 0x1373dac0},
     {-0.3606538, -0.5912813, 0.04522071, 0.6420833, -1.556226},
     {0.786751862715729, 0.152112369144216, 0.616609639923883, 0.587170035745608, 0.0759865494633999},
     {-0.360653646111745, -0.591281403741744, 0.0452207138312353, 0.642083398788746, -1.5562266412426}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     CURAND_ORDERING_PSEUDO_LEGACY,
     {0xc96891f0, 0x26f0d612, 0x9650c684, 0x7b5ff62d, 0x89863210},
     {-0.3606538, -0.5912813, 0.04522071, -0.2806806, 0.808682},
     {0.786751862715729, 0.152112369144216, 0.587170035745608, 0.4819330083495, 0.537203911756076},
     {-0.360653646111745, -0.591281403741744, 0.0452207138312353, -0.280681117768612, 0.808682029646703}},
    {CURAND_RNG_PSEUDO_MTGP32,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {0x95130d0d, 0x76af12e1, 0x71e268c6, 0x4ced3251, 0xd13dba06},
     {0.2078371, -0.09134578, -0.138656, -0.5229793, 0.9053051},
     {0.582321945112199, 0.463608913589269, 0.44486098154448, 0.300494332332164, 0.817348124226555},
     {0.207837149500847, -0.0913457795977592, -0.138655990362167, -0.522979259490967, 0.905305087566376}},
    {CURAND_RNG_PSEUDO_MTGP32,
     CURAND_ORDERING_PSEUDO_LEGACY,
     {0x95130d0d, 0x76af12e1, 0x71e268c6, 0x1994417e, 0x53995d3c},
     {0.2078371, -0.09134578, -0.138656, -1.282016, -0.4494351},
     {0.582321945112199, 0.463608913589269, 0.44486098154448, 0.0999184546526521, 0.326558902161196},
     {0.207837149500847, -0.0913457795977592, -0.138655990362167, -1.28201627731323, -0.449435144662857}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {0x2090b348, 0xda7cf0ab, 0x7a6635c0, 0xc0712926, 0xd0162565},
     {-1.61649, 1.229155, 1.186628, 0.4452693, 0.5551581},
     {0.853468995430014, 0.796055148832705, 0.215647646504003, 0.399686727099184, 0.455429249548865},
     {-0.539526695907319, 0.160633346442023, -1.48060333163112, 0.995599306946336, -0.517428554573391}},
    {CURAND_RNG_QUASI_SOBOL32,
     CURAND_ORDERING_QUASI_DEFAULT,
     {0x00000000, 0x80000000, 0x00180000, 0x00078000, 0x0ba28000},
     {-6.337957, 0, -3.377146, -3.6848, -1.690687},
     {2.3283064365387e-10, 0.500000000232831, 0.000366211170330644, 0.000114441150799394, 0.0454483034554869},
     {-6.33795775455379, 2.91809937291662e-10, -3.37714581884508, -3.68480025197684, -1.69068695712181}},
    {CURAND_RNG_PSEUDO_MT19937,
     CURAND_ORDERING_PSEUDO_DEFAULT,
     {0x31076b2f, 0x116e000a, 0x240f5e65, 0x7a8a2465, 0x4bcfecd1},
     {-0.8723107, -1.490208, -1.076466, -0.0534909, -0.5355307},
     {0.191519450279884, 0.0680847192415968, 0.140859508304857, 0.478670382290147, 0.296141434810124},
     {-0.872310702544002, -1.49020843772315, -1.07646573658355, -0.0534909206318354, -0.535530794063992}},
    {CURAND_RNG_QUASI_SCRAMBLED_SOBOL32,
     CURAND_ORDERING_QUASI_DEFAULT,
     {0xe20866fe, 0x0c04e445, 0xe212b5d9, 0xe20d5c95, 0xebd83e8c},
     {1.189816, -1.675178, 1.190617, 1.190201, 1.413655},
     {0.882940709358081, 0.0469496413134038, 0.88309799740091, 0.883016382809728, 0.921268376754597},
     {1.18981635100833, -1.67517815439623, 1.19061692193786, 1.19020142153338, 1.41365492270187}},
};

static void same_as_recorded() {
  const size_t count = 100000;
  for (const auto &row : recorded) {
    const double close =
        row.type == CURAND_RNG_PSEUDO_MTGP32 ? 1e-7 : 1e-11; // NVIDIA's are rounded to float there
    curandGenerator_t g;
    Numbers<unsigned> bits(count);
    Numbers<float> normal(count);
    Numbers<double> uniform_double(count), normal_double(count);
    auto start = [&] {
      RAND_OK(curandCreateGenerator(&g, row.type));
      if (row.type < CURAND_RNG_QUASI_DEFAULT) {
        RAND_OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
        RAND_OK(curandSetGeneratorOrdering(g, row.order));
      }
    };
    start();
    RAND_OK(curandGenerate(g, bits.data, count));
    RAND_OK(curandDestroyGenerator(g));
    const std::vector<unsigned> b = bits.get();
    for (int i = 0; i < 5; i++)
      TRUE(b[places[i]] == row.bits[i]);
    start();
    RAND_OK(curandGenerateNormal(g, normal.data, count, 0, 1));
    RAND_OK(curandDestroyGenerator(g));
    start();
    RAND_OK(curandGenerateUniformDouble(g, uniform_double.data, count));
    RAND_OK(curandDestroyGenerator(g));
    start();
    RAND_OK(curandGenerateNormalDouble(g, normal_double.data, count, 0, 1));
    RAND_OK(curandDestroyGenerator(g));
    const std::vector<float> n = normal.get();
    const std::vector<double> ud = uniform_double.get(), nd = normal_double.get();
    for (int i = 0; i < 5; i++) {
      const size_t at = places[i];
      if (b[at] != row.bits[i] || fabs(n[at] - row.normal[i]) > 2e-5 ||
          fabs(ud[at] - row.uniform_double[i]) > 1e-12 || fabs(nd[at] - row.normal_double[i]) > close) {
        printf("type %d, order %d, number %zu: got %08x, %.9g, %.15g, %.15g\n", row.type, row.order, at,
               b[at], n[at], ud[at], nd[at]);
        differences++;
      }
    }
  }
}

/* Numbers do not depend on how many are asked for at once, and an offset skips numbers. */
static void calls_and_offsets() {
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32,
                               CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                               CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32}) {
    const size_t count = 60000, offset = 4096 + 7;
    curandGenerator_t g;
    Numbers<unsigned> all(count), parts(count), later(count - offset);
    RAND_OK(curandCreateGenerator(&g, type));
    RAND_OK(curandGenerate(g, all.data, count));
    RAND_OK(curandDestroyGenerator(g));
    RAND_OK(curandCreateGenerator(&g, type));
    for (size_t begin = 0, size = 103; begin < count;
         begin += size, size = size * 7 < count - begin ? size * 7 : count - begin)
      RAND_OK(curandGenerate(g, parts.data + begin, begin + size < count ? size : count - begin));
    TRUE(all.get() == parts.get());
    if (type == CURAND_RNG_PSEUDO_MTGP32) {
      TRUE(curandSetGeneratorOffset(g, 1) == CURAND_STATUS_TYPE_ERROR);
    } else {
      RAND_OK(curandSetGeneratorOffset(g, offset));
      RAND_OK(curandGenerate(g, later.data, count - offset));
      const std::vector<unsigned> numbers = all.get();
      TRUE(later.get() == std::vector<unsigned>(numbers.begin() + offset, numbers.end()));
    }
    RAND_OK(curandDestroyGenerator(g));
  }
}

/* J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): known answers of Philox4x32-10. */
static void philox() {
  curandGenerator_t g;
  RAND_OK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  Numbers<unsigned> d(4);
  RAND_OK(curandGenerate(g, d.data, d.count));
  const std::vector<unsigned> numbers = d.get();
  const unsigned known[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}; // counter 0, key 0
  for (int i = 0; i < 4; i++)
    TRUE(numbers[i] == known[i]);
  RAND_OK(curandDestroyGenerator(g));
}

/* Mean and variance within six standard errors; `fourth` is the fourth central moment. */
template <class T>
static void expect_moments(const char *name, int type, const std::vector<T> &x, double mean, double variance,
                           double fourth) {
  double sum = 0, squares = 0;
  for (T value : x)
    sum += value;
  for (T value : x)
    squares += (value - mean) * (value - mean);
  const double n = (double)x.size();
  if (!(fabs(sum / n - mean) < 6 * sqrt(variance / n)) ||
      !(fabs(squares / n - variance) < 6 * sqrt((fourth - variance * variance) / n))) {
    printf("%s, type %d: expected mean %g and variance %g, got %g and %g\n", name, type, mean, variance,
           sum / n, squares / n);
    differences++;
  }
}

static void distributions() {
  const size_t n = 20000;
  for (curandRngType_t type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32,
        CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32,
        CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}) {
    curandGenerator_t g;
    Numbers<float> f(n);
    Numbers<double> d(n);
    Numbers<unsigned> u(n);
    RAND_OK(curandCreateGenerator(&g, type));
    RAND_OK(curandGenerateUniform(g, f.data, n));
    expect_moments("uniform", type, f.get(), 0.5, 1 / 12., 1 / 80.);
    RAND_OK(curandGenerateUniformDouble(g, d.data, n));
    expect_moments("uniform double", type, d.get(), 0.5, 1 / 12., 1 / 80.);
    RAND_OK(curandGenerateNormal(g, f.data, n, 5, 2));
    expect_moments("normal", type, f.get(), 5, 4, 48);
    RAND_OK(curandGenerateNormalDouble(g, d.data, n, -5, 2));
    expect_moments("normal double", type, d.get(), -5, 4, 48);
    const double s = 0.25, e = exp(s * s), mean = exp(s * s / 2),
                 variance = (e - 1) * e; // log-normal with mean 0
    const double fourth = variance * variance * (pow(e, 4) + 2 * pow(e, 3) + 3 * e * e - 3);
    RAND_OK(curandGenerateLogNormal(g, f.data, n, 0, 0.25f));
    expect_moments("log-normal", type, f.get(), mean, variance, fourth);
    RAND_OK(curandGenerateLogNormalDouble(g, d.data, n, 0, 0.25));
    expect_moments("log-normal double", type, d.get(), mean, variance, fourth);
    for (double lambda : {3., 50.}) {
      RAND_OK(curandGeneratePoisson(g, u.data, n, lambda));
      expect_moments("Poisson", type, u.get(), lambda, lambda, lambda * (1 + 3 * lambda));
    }
    RAND_OK(curandDestroyGenerator(g));
  }
}

/* Sobol's first 2^m points fill boxes evenly: 2^m intervals of one dimension, and 16 squares of two. */
template <class W> static void expect_even(const std::vector<W> &x, int dimensions, int points) {
  const int bits = (int)sizeof(W) * 8;
  for (int a = 0; a < dimensions; a++) {
    std::vector<int> intervals(points);
    for (int i = 0; i < points; i++)
      intervals[(size_t)(x[(size_t)a * points + i] >> (bits - 10))]++;
    for (int count : intervals)
      TRUE(count == 1);
    for (int b = 0; b < a; b++) {
      int squares[16] = {};
      for (int i = 0; i < points; i++)
        squares[(int)(x[(size_t)a * points + i] >> (bits - 2)) * 4 +
                (int)(x[(size_t)b * points + i] >> (bits - 2))]++;
      for (int count : squares)
        TRUE(count == points / 16);
    }
  }
}

static void sobol() {
  const int dimensions = 10, points = 1024;
  curandGenerator_t g, h;
  Numbers<unsigned> x(dimensions * points), y(3);
  Numbers<unsigned long long> z(dimensions * points);
  RAND_OK(curandCreateGenerator(&g, CURAND_RNG_QUASI_DEFAULT));
  RAND_OK(curandSetGeneratorOffset(g, 1));
  RAND_OK(curandGenerate(g, y.data, 3));
  TRUE(y.get() == (std::vector<unsigned>{0x80000000, 0xC0000000, 0x40000000}));
  RAND_OK(curandSetGeneratorOffset(g, 0));
  RAND_OK(curandSetQuasiRandomGeneratorDimensions(g, dimensions));
  RAND_OK(curandGenerate(g, x.data, x.count));
  const std::vector<unsigned> numbers = x.get();
  expect_even(numbers, dimensions, points);
  unsigned digest =
      2166136261u; // FNV-1a of direction numbers: point 2^k differs from the one before it by number k
  for (int d = 0; d < dimensions; d++)
    for (int k = 0; k < 10; k++)
      digest = (digest ^ numbers[d * points + (1 << k)] ^ numbers[d * points + (1 << k) - 1]) * 16777619u;
  TRUE(digest == 0xf9c64095); // of those that NVIDIA's library returns, JOEKUO6
  TRUE(curandGenerate(g, x.data, x.count - 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  TRUE(curandSetQuasiRandomGeneratorDimensions(g, 20001) == CURAND_STATUS_OUT_OF_RANGE);
  RAND_OK(curandCreateGenerator(&h, CURAND_RNG_QUASI_SOBOL64));
  RAND_OK(curandSetQuasiRandomGeneratorDimensions(h, dimensions));
  RAND_OK(curandGenerateLongLong(h, z.data, z.count));
  expect_even(z.get(), dimensions, points);
  TRUE(curandGenerate(h, x.data, x.count) == CURAND_STATUS_TYPE_ERROR);
  RAND_OK(curandDestroyGenerator(g));
  RAND_OK(curandDestroyGenerator(h));
}

template <class W> static unsigned digest(const std::vector<W> &numbers) { // FNV-1a of 32-bit words
  unsigned d = 2166136261u;
  for (W x : numbers)
    for (size_t k = 0; k < sizeof(W); k += 4)
      d = (d ^ (unsigned)(x >> 8 * k)) * 16777619u;
  return d;
}

/* Of each 65536 numbers, the first eight come from the sequence that the C++ library has, in another order. The digest
 * is that of NVIDIA's library. */
static void mersenne_twister() {
  const size_t row = 65536, rows = 78,
               count = 6000000; // all sequences make more than one state of 624 numbers
  curandGenerator_t g;
  Numbers<unsigned> d(count);
  RAND_OK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MT19937));
  RAND_OK(curandSetPseudoRandomGeneratorSeed(g, 1234 + (5ull << 32))); // 32 bits of a seed count
  for (size_t begin = 0, part = 10; begin < count;
       begin += part, part = part * 9 < count - begin ? part * 9 : count - begin)
    RAND_OK(curandGenerate(g, d.data + begin, begin + part < count ? part : count - begin));
  const std::vector<unsigned> numbers = d.get();
  std::mt19937 standard(1234);
  std::vector<unsigned> expected, got;
  for (size_t i = 0; i < rows * 8; i++) {
    expected.push_back((unsigned)standard());
    got.push_back(numbers[i / 8 * row + i % 8]);
  }
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  TRUE(got == expected);
  TRUE(numbers[0] == std::mt19937(1234)() && digest(numbers) == 0xfa5dcd4a);
  RAND_OK(curandDestroyGenerator(g));
}

/* Digests of what NVIDIA's library gives in many dimensions. */
static void sobol_tables() {
  curandGenerator_t g;
  Numbers<unsigned> words(100000);
  Numbers<unsigned long long> longs(100000);
  RAND_OK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
  RAND_OK(curandSetQuasiRandomGeneratorDimensions(g, 10000));
  RAND_OK(curandGenerate(g, words.data, words.count));
  TRUE(digest(words.get()) == 0xb1a1b645);
  RAND_OK(curandDestroyGenerator(g));
  RAND_OK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64));
  RAND_OK(curandSetQuasiRandomGeneratorDimensions(g, 100));
  RAND_OK(curandGenerateLongLong(g, longs.data, longs.count));
  TRUE(digest(longs.get()) == 0x6bea88a5);
  RAND_OK(curandDestroyGenerator(g));
  curandDirectionVectors32_t *vectors;
  curandDirectionVectors64_t *wide;
  unsigned *constants;
  unsigned long long *wide_constants;
  RAND_OK(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  RAND_OK(curandGetDirectionVectors64(&wide, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6));
  RAND_OK(curandGetScrambleConstants32(&constants));
  RAND_OK(curandGetScrambleConstants64(&wide_constants));
  TRUE(vectors[0][1] == 0x40000000 && wide[0][0] >> 63 == 1);
  TRUE(constants[0] == wide_constants[0] >> 32);
  TRUE(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6) ==
       CURAND_STATUS_OUT_OF_RANGE);
}

static void options() {
  curandGenerator_t g, h;
  int version;
  const size_t n = 2 * 64 * 256;
  std::vector<float> host(n);
  Numbers<float> whole(n);
  RAND_OK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32));
  RAND_OK(curandCreateGeneratorHost(&h, CURAND_RNG_PSEUDO_MTGP32));
  RAND_OK(curandGenerateUniform(g, whole.data, n));
  RAND_OK(curandGenerateUniform(h, host.data(), n));
  TRUE(whole.get() == host);
  RAND_OK(curandGenerateNormal(g, whole.data, 3, 0, 1));
  TRUE(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE);
  TRUE(curandGenerate(nullptr, nullptr, 1) == CURAND_STATUS_NOT_INITIALIZED);
  RAND_OK(curandGetVersion(&version));
  TRUE(version == CURAND_VERSION);
  RAND_OK(curandDestroyGenerator(g));
  RAND_OK(curandDestroyGenerator(h));
  for (curandRngType_t type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    RAND_OK(curandCreateGenerator(&g, type));
    const curandStatus_t odd = curandGenerateNormal(g, whole.data, 3, 0, 1);
    TRUE(odd == (type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? CURAND_STATUS_SUCCESS
                                                         : CURAND_STATUS_LENGTH_NOT_MULTIPLE));
    RAND_OK(curandDestroyGenerator(g));
  }
}

int main() {
  return run_parts({{"recorded numbers", same_as_recorded},
                    {"calls and offsets", calls_and_offsets},
                    {"known answers", philox},
                    {"distributions", distributions},
                    {"Sobol's sequences", sobol},
                    {"Mersenne Twister", mersenne_twister},
                    {"tables of Sobol's sequences", sobol_tables},
                    {"options", options}});
}
