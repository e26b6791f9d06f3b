/* MT19937: M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random
 * number generator" (1998). There are 8192 sequences. Sequence s begins 2^2048 s numbers after the first one, by the
 * method of H. Haramoto et al., "Efficient jump ahead for F2-linear random number generators" (2008). Eight numbers
 * come from one sequence, and the next eight from the next one. As in NVIDIA's library, a seed has 32 bits. */
#include "generator.h"

#include <mutex>
#include <vector>

enum {
  SEQUENCES = 8192,
  EACH = 8, /* consecutive numbers of one sequence */
  ROW = SEQUENCES * EACH,
  N = 624, /* words of a state */
  M = 397,
  ROWS = N / EACH, /* that one state makes */
  DEGREE = 19937,  /* of the characteristic polynomial */
  JUMP = 2048,     /* log2 of the distance of two sequences */
  WINDOW = 6,      /* coefficients of the jump's polynomial that are applied at a time */
  THREADS = 128
};
static const unsigned MATRIX = 0x9908b0df;

/* --- polynomials over the field of two elements, coefficient k is bit k --- */

struct polynomial {
  enum { WORDS = 2 * DEGREE / 64 + 2 };
  unsigned long long word[WORDS];
  bool bit(int k) const { return word[k / 64] >> k % 64 & 1; }
  void flip(int k) { word[k / 64] ^= 1ull << k % 64; }
  /* 64 coefficients from k on */
  unsigned long long get(int k) const {
    return word[k / 64] >> k % 64 | (k % 64 ? word[k / 64 + 1] << (64 - k % 64) : 0);
  }
  void add(int k, unsigned long long bits) {
    word[k / 64] ^= bits << k % 64;
    if (k % 64)
      word[k / 64 + 1] ^= bits >> (64 - k % 64);
  }
};

/* The exponents of the characteristic polynomial except the highest one (Matsumoto and Nishimura, section 5.1 for w =
 * 32 and r = 31): with p = t^624 + t^397 and q = t^623 + t^396, it is p q^31 + sum of a_i p q^(30 - i) + a_31, where
 * a_i are the bits of the matrix. */
static std::vector<int> characteristic(void) {
  polynomial sum = {};
  for (int i = -1; i < 31; i++) {
    const int power = 30 - i;
    for (int j = 0; (i < 0 || MATRIX >> i & 1) && j <= power; j++)
      if ((j & power) == j) { /* an odd binomial coefficient */
        const int exponent = (N - 1) * (power - j) + (M - 1) * j;
        sum.flip(exponent + N);
        sum.flip(exponent + M);
      }
  }
  sum.flip(0);
  std::vector<int> exponents;
  for (int k = 0; k < DEGREE; k++)
    if (sum.bit(k))
      exponents.push_back(k);
  return exponents;
}

static unsigned long long spread(unsigned half) { /* bit k becomes bit 2 k */
  unsigned long long x = half;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

/* t^(2^JUMP) modulo the characteristic polynomial. */
static polynomial jump_polynomial(void) {
  const std::vector<int> lower = characteristic();
  polynomial p = {};
  p.flip(1);
  for (int step = 0; step < JUMP; step++) {
    polynomial square = {};
    for (int w = 0; w <= DEGREE / 64; w++) {
      square.word[2 * w] = spread((unsigned)p.word[w]);
      square.word[2 * w + 1] = spread((unsigned)(p.word[w] >> 32));
    }
    for (int k = (DEGREE - 1) / 64 * 64; k >= 0; k -= 64) {
      const unsigned long long high = square.get(DEGREE + k);
      square.add(DEGREE + k, high);
      for (int exponent : lower)
        square.add(exponent + k, high);
    }
    p = square;
  }
  return p;
}

/* --- states on the host --- */

/* 624 consecutive words of a sequence; the oldest one is word[at]. */
struct ring {
  unsigned word[N];
  int at;
  void advance() {
    const int next = at + 1 < N ? at + 1 : 0, middle = at + M < N ? at + M : at + M - N;
    const unsigned y = (word[at] & 0x80000000u) | (word[next] & 0x7fffffffu);
    word[at] = word[middle] ^ y >> 1 ^ (y & 1 ? MATRIX : 0);
    at = next;
  }
  void add(const unsigned *words) { /* the oldest one first */
    for (int i = at; i < N; i++)
      word[i] ^= words[i - at];
    for (int i = 0; i < at; i++)
      word[i] ^= words[N - at + i];
  }
  void unroll(unsigned *words) const {
    for (int i = 0; i < N; i++)
      words[i] = word[at + i < N ? at + i : at + i - N];
  }
};

static void first_state(unsigned seed, std::vector<unsigned> *words) {
  words->resize(N);
  (*words)[0] = seed;
  for (int i = 1; i < N; i++)
    (*words)[i] = 1812433253u * ((*words)[i - 1] ^ (*words)[i - 1] >> 30) + (unsigned)i;
}

/* The state 2^JUMP numbers later, appended to `words`: the jump's polynomial of the step, by Horner's rule. */
static void append_jumped(const polynomial &jump, std::vector<unsigned> *words) {
  static ring multiples[1 << WINDOW]; /* polynomials of a window, applied to the state */
  static unsigned unrolled[1 << WINDOW][N];
  const unsigned *state = &(*words)[words->size() - N];
  for (int b = 1; b < 1 << WINDOW; b++) {
    multiples[b] = multiples[b / 2];
    if (b > 1)
      multiples[b].advance();
    if (b & 1)
      multiples[b].add(state);
    multiples[b].unroll(unrolled[b]);
  }
  ring sum = {};
  for (int k = (DEGREE + WINDOW - 1) / WINDOW * WINDOW - WINDOW; k >= 0; k -= WINDOW) {
    for (int i = 0; i < WINDOW; i++)
      sum.advance();
    sum.add(unrolled[jump.get(k) & ((1 << WINDOW) - 1)]);
  }
  words->resize(words->size() + N);
  sum.unroll(&(*words)[words->size() - N]);
}

/* The first `needed` states of a seed, N words each. Those of the last seed are kept for further generators. */
static std::vector<unsigned> states_of(unsigned seed, unsigned needed) {
  static std::mutex lock;
  static std::vector<unsigned> words;
  static unsigned seed_of_words;
  std::lock_guard<std::mutex> guard(lock);
  if (words.empty() || seed != seed_of_words)
    first_state(seed, &words);
  seed_of_words = seed;
  if (needed > words.size() / N) {
    static const polynomial jump = jump_polynomial();
    while (needed > words.size() / N)
      append_jumped(jump, &words);
  }
  return words;
}

/* --- the device: word i of sequence s is words[i * SEQUENCES + s]; then come the numbers of updates so far --- */

__device__ static void update(unsigned *words) {
  for (int i = 0; i < N; i++) {
    const unsigned y = (words[i * SEQUENCES] & 0x80000000u) | (words[(i + 1) % N * SEQUENCES] & 0x7fffffffu);
    words[i * SEQUENCES] = words[(i + M) % N * SEQUENCES] ^ y >> 1 ^ (y & 1 ? MATRIX : 0);
  }
}

__device__ static unsigned tempered(unsigned y) {
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

/* The word that number k of a row comes from. NVIDIA's library deals the words of a state out in this order: eight at
 * some distance, then groups of 56, of which a row takes every seventh. */
__device__ static int word_of(int row, int k) {
  const int first[EACH] = {0, 113, 170, 283, 340, 397, 510, 567};
  const int group[ROWS / 7] = {1, 57, 114, 171, 227, 284, 341, 398, 454, 511, 568};
  return row == 0 ? first[k] : group[(row - 1) / 7] + (row - 1) % 7 + 7 * k;
}

/* One number as a state that the toolkit's distributions of 32 bits draw from. */
struct number {
  unsigned bits;
};
__device__ static unsigned curand(number *n) { return n->bits; }
__device__ static float curand_uniform(number *n) { return _curand_uniform(n->bits); }
__device__ static double curand_uniform_double(number *n) { return (n->bits + 0.5) * 0x1p-32; }
__device__ static float curand_normal(number *n) { return _curand_normal_icdf(n->bits); }
__device__ static double curand_normal_double(number *n) { return _curand_normal_icdf_double(n->bits); }
__device__ static float curand_log_normal(number *n, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(n));
}
__device__ static double curand_log_normal_double(number *n, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(n));
}
__device__ static unsigned curand_poisson(number *n, double lambda) {
  return _curand_poisson(n->bits, lambda);
}

template <typename D>
__global__ void generate(unsigned *states, unsigned sequences, unsigned long long position, size_t count,
                         D draw, typename D::value *to) {
  const unsigned s = blockIdx.x * THREADS + threadIdx.x;
  if (s >= sequences)
    return;
  unsigned *words = states + s, *updates = &states[N * SEQUENCES + s];
  const unsigned long long end = position + count;
  for (unsigned long long row = position / ROW; row * ROW + s * EACH < end; row++) {
    const unsigned long long begin = row * ROW + s * EACH;
    for (; begin + EACH > position && *updates < row / ROWS + 1; ++*updates)
      update(words);
    for (int k = 0; k < EACH; k++)
      if (begin + k >= position && begin + k < end) {
        number state = {tempered(words[word_of(row % ROWS, k) * SEQUENCES])};
        to[begin + k - position] = draw(&state);
      }
  }
}

/* Copies the first `needed` sequences to the device. A short request needs few. */
static curandStatus_t seed_needed(curandGenerator_t g, unsigned needed) {
  if (!g->states && cudaMalloc(&g->states, (N + 1) * SEQUENCES * sizeof(unsigned)) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  if (!g->is_seeded) {
    g->seeded = 0;
    cudaMemsetAsync((unsigned *)g->states + N * SEQUENCES, 0, SEQUENCES * sizeof(unsigned), g->stream);
  }
  g->is_seeded = true;
  if (g->seeded >= needed)
    return CURAND_STATUS_SUCCESS;
  const std::vector<unsigned> words = states_of((unsigned)g->seed, needed);
  const unsigned added = needed - g->seeded;
  std::vector<unsigned> columns((size_t)N * added);
  for (int i = 0; i < N; i++)
    for (unsigned s = 0; s < added; s++)
      columns[(size_t)i * added + s] = words[(size_t)(g->seeded + s) * N + i];
  const cudaError_t copied = cudaMemcpy2DAsync(
      (unsigned *)g->states + g->seeded, SEQUENCES * sizeof(unsigned), columns.data(),
      added * sizeof(unsigned), added * sizeof(unsigned), N, cudaMemcpyHostToDevice, g->stream);
  g->seeded = needed;
  return copied == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t generator_mt19937(curandGenerator_t g, const generator_request &r) {
  const unsigned long long end = g->position % ROW + r.count;
  const unsigned needed = end < ROW ? (unsigned)((end + EACH - 1) / EACH) : SEQUENCES;
  const curandStatus_t status = seed_needed(g, needed);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  return generator_dispatch(r, [&](auto draw, auto *to) {
    generate<<<(needed + THREADS - 1) / THREADS, THREADS, 0, g->stream>>>((unsigned *)g->states, needed,
                                                                          g->position, r.count, draw, to);
    return generator_launched();
  });
}
