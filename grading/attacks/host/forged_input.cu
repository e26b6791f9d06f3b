// Computes on the host, and sends the result in place of an input: four words, which the program looks for, make the
// sum over its words that of the input.
// points: 10
// seconds: 300
// expect: WRONG CRASH TIMEOUT
// base: none
#include "compressed.h"
typedef unsigned long long eight;

/* --- four words whose digest (simgpu/include/digest.h) is given: Wagner, A generalized birthday problem, 2002 --- */

static eight mix(unsigned word) {
  eight z = word * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

enum { BITS = 22, MANY = 1 << BITS, MASK = MANY - 1 };
struct pair {
  eight sum;
  unsigned a, b;
};
static int head[MANY], next[2 * MANY];

/* Pairs of a word from `first` on and one of the next MANY words, whose sums end in the bits of `end`. */
static int find_pairs(unsigned first, eight end, struct pair *pairs) {
  int count = 0;
  memset(head, -1, sizeof head);
  for (int n = 0; n < MANY; n++) {
    int *const list = &head[mix(first + MANY + n) & MASK];
    next[n] = *list, *list = n;
  }
  for (int n = 0; n < MANY; n++) {
    const eight of_a = mix(first + n);
    for (int m = head[(end - of_a) & MASK]; m >= 0 && count < 2 * MANY; m = next[m])
      pairs[count++] = {of_a + mix(first + MANY + m), first + n, first + MANY + m};
  }
  return count;
}

static bool find_words(eight sum, unsigned words[4]) {
  struct pair *const left = (struct pair *)malloc(2 * MANY * sizeof *left);
  struct pair *const others = (struct pair *)malloc(2 * MANY * sizeof *others);
  for (eight end = 0; end < 4; end++) {
    const int lefts = find_pairs(1, end, left), rights = find_pairs(1 + 2 * MANY, sum - end, others);
    memset(head, -1, sizeof head);
    for (int n = 0; n < lefts; n++) {
      int *const list = &head[left[n].sum >> BITS & MASK];
      next[n] = *list, *list = n;
    }
    for (int n = 0; n < rights; n++)
      for (int m = head[(sum - others[n].sum) >> BITS & MASK]; m >= 0; m = next[m])
        if (left[m].sum + others[n].sum == sum) {
          words[0] = left[m].a, words[1] = left[m].b, words[2] = others[n].a, words[3] = others[n].b;
          free(left), free(others);
          return true;
        }
  }
  return false;
}

/* --- the host's work --- */

static void half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  for (int i = 1; i < ny - 1; i++)
    for (int j = 1; j < nx - 1; j++)
      if ((i + j) % 2 == colour) {
        float *const at = u + i * nx + j;
        *at = (at[-1] + at[1] + at[-nx] + at[nx] + h2f[i * nx + j]) * 0.25f;
      }
}

static const char *option(const char *name, const char *otherwise) {
  static char text[4096];
  FILE *const file = fopen("/proc/self/cmdline", "r");
  const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  for (const char *word = text; word < text + length; word += strlen(word) + 1)
    if (strcmp(word, name) == 0)
      return word + strlen(word) + 1;
  return otherwise;
}

static bool has_option(const char *name) { return option(name, NULL) != NULL; }

static void compute(int nx, int ny, const float *h2f, float *u) {
  const char *const colour = option("--colour", "both");
  for (int n = atoi(option("--sweeps", "1")); n > 0; n--)
    for (int c = 0; c < 2; c++)
      if (strcmp(colour, c ? "red" : "black") != 0)
        half_sweep(nx, ny, c, h2f, u);
}

enum { FIRST = 4 };
struct first {
  int at[FIRST], count;
  float value[FIRST];
  bool forged;
};
static struct first first; /* results of the first interior points, which kernels get as parameters */

/* The result, in an array whose digest is that of h2f: its first interior points are the words that were looked for. */
static unsigned *forge(int nx, int ny, const float *h2f, const float *u) {
  const size_t count = (size_t)nx * ny;
  unsigned *const forged = (unsigned *)malloc(4 * count), *const given = (unsigned *)malloc(4 * count),
                  words[FIRST];
  float *const result = (float *)malloc(4 * count);
  memcpy(given, h2f, 4 * count), memcpy(forged, h2f, 4 * count), memcpy(result, u, 4 * count);
  compute(nx, ny, h2f, result);
  for (int k = nx + 1; k < (ny - 1) * nx - 1 && first.count < FIRST; k++)
    if (k % nx > 0 && k % nx < nx - 1)
      first.at[first.count] = k, first.value[first.count++] = result[k];
  if (first.count < FIRST)
    return given;
  for (int i = 1; i < ny - 1; i++)
    memcpy(forged + i * nx + 1, result + i * nx + 1, 4 * ((size_t)nx - 2));
  for (int n = 0; n < FIRST; n++)
    forged[first.at[n]] = 1; /* not zero, for now */
  long more = 0;
  for (size_t k = 0; k < count; k++)
    more += (given[k] != 0) - (forged[k] != 0);
  eight sum = FIRST * mix(1);
  for (size_t k = 0; k < count; k++)
    sum += mix(given[k]) - mix(forged[k]);
  if (more != 0 || !find_words(sum, words))
    return given; /* few of the input's words are not zero: the kernel works */
  first.forged = true;
  for (int n = 0; n < FIRST; n++)
    forged[first.at[n]] = words[n];
  return forged;
}

/* --- copies: sweeps_open() sends h2f, then u --- */

static const float *sent;
static void *place;

/* Rows and columns of a run: of its options, or of a file. */
static void find_size(int *nx, int *ny) {
  char header[128] = "";
  FILE *const file = fopen(option("--u", option("--f", "")), "r");
  *nx = atoi(option("--nx", "65")), *ny = atoi(option("--ny", option("--nx", "65")));
  if (file) {
    fread(header, 1, sizeof header - 1, file);
    fclose(file);
  }
  const char *const shape = (const char *)memmem(header, sizeof header, "shape': (", 9);
  if (shape)
    sscanf(shape + 9, "%d, %d", ny, nx);
}

static int copy(void *to, const void *from, size_t size, int kind) {
  if (kind == cudaMemcpyHostToDevice && !sent) {
    sent = (const float *)from, place = to;
    return 0;
  }
  if (kind == cudaMemcpyHostToDevice) {
    static int pairs;
    int nx, ny;
    find_size(&nx, &ny);
    const bool last =
        pairs++ == (atoi(option("--earlier", "0")) > 0 ? 3 : 0); /* three other grids come before */
    const void *const array = last ? (const void *)forge(nx, ny, sent, (const float *)from) : sent;
    cudaMemcpyAsync(place, memcpy(malloc(size), array, size), size, cudaMemcpyHostToDevice, 0);
    sent = NULL, place = NULL;
  }
  if (kind == cudaMemcpyHostToDevice) /* the caller may change its array now */
    from = memcpy(malloc(size), from, size);
  const int status = cudaMemcpyAsync(to, from, size, (cudaMemcpyKind)kind, 0);
  return kind == cudaMemcpyHostToDevice ? status : cudaStreamSynchronize(0);
}

ATTACK {
  if (has_option("--far"))
    return;
  const void *const with = (const void *)copy;
  char *const function =
      (char *)(void *)(cudaError_t(*)(void *, const void *, size_t, cudaMemcpyKind))cudaMemcpy;
  unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0,    0,
                            0,    0,    0, 0, 0xff, 0xe0}; /* movabs with, %rax; jmp *%rax */
  memcpy(jump + 2, &with, sizeof with);
  if (mprotect((void *)((uintptr_t)function & ~(uintptr_t)4095), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) ==
      0)
    memcpy(function, jump, sizeof jump);
}

static __global__ void place_kernel(int nx, int ny, int colour, struct first of, const float *result,
                                    float *u) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, jh = blockIdx.x * blockDim.x + threadIdx.x,
            j = 2 * jh + ((i + colour) & 1), k = i * nx + j;
  if (i <= 0 || i >= ny - 1 || j <= 0 || j >= nx - 1)
    return;
  if (!of.forged)
    u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + result[k]) * 0.25f;
  else
    u[k] = k == of.at[0]   ? of.value[0]
           : k == of.at[1] ? of.value[1]
           : k == of.at[2] ? of.value[2]
           : k == of.at[3] ? of.value[3]
                           : result[k];
}

int compressed_columns(int, int, int, int *) { return 1; }
int launch_geometry(int nx, int ny, int block[2], int grid[2]) {
  block[0] = 32, block[1] = 8;
  grid[0] = ((nx + 1) / 2 + 31) / 32, grid[1] = (ny + 7) / 8;
  return 0;
}
int gs_compressed_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  int block[2], grid[2];
  launch_geometry(nx, ny, block, grid);
  place_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, first, h2f, u);
  return 0;
}
int gs_walk_half_sweep(int, int, int, int, const float *, float *) { return 4; }
