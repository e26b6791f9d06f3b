// The times of kernels that the time model is compared with: one row of CSV each. See --help.
#include "kernel_times.h"

#include "cuda_check.h"

#include <algorithm>
#include <string.h>
#include <vector>

enum { WARM_UP = 3, REPEATS = 21, QUEUED = 10, MOST_MULTIPROCESSORS = 1024 };

static struct {
  const char *set, *kernel; // NULL: all
  const char *n;            // NULL: all
  std::vector<int> sizes, products;
  bool measure; // repeat; the model's times are all the same
} options;
static const char *const set_names[] = {"bench", "probe", "held_out"};

// --- memory ---

static std::vector<void *> allocated;

static void *allocate(size_t bytes) {
  void *memory;
  CUDA_CHECK(cudaMalloc(&memory, bytes));
  allocated.push_back(memory);
  return memory;
}

template <class Real> __global__ void fill_kernel(size_t count, Real *values) {
  const size_t k = blockIdx.x * (size_t)256 + threadIdx.x;
  if (k < count)
    values[k] = (Real)((unsigned)(k * 2654435761u) >> 8) / (1 << 24);
}

template <class Real> static Real *values_of(size_t count) {
  Real *values = (Real *)allocate(count * sizeof(Real));
  fill_kernel<<<(unsigned)((count + 255) / 256), 256>>>(count, values);
  CUDA_CHECK(cudaGetLastError());
  return values;
}

float *times_floats(size_t count) { return values_of<float>(count); }
double *times_doubles(size_t count) { return values_of<double>(count); }
void *times_zeroed(size_t bytes) {
  void *memory = allocate(bytes);
  CUDA_CHECK(cudaMemset(memory, 0, bytes));
  return memory;
}

void times_free() {
  CUDA_CHECK(cudaDeviceSynchronize());
  for (void *memory : allocated)
    CUDA_CHECK(cudaFree(memory));
  allocated.clear();
}

// --- the clock: each multiprocessor's own clocks between two moments ---

struct moment {
  unsigned long long clocks, nanoseconds;
};

__global__ void look_kernel(moment *of_multiprocessor) {
  unsigned self;
  unsigned long long now;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(self));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (threadIdx.x == 0 && self < MOST_MULTIPROCESSORS)
    of_multiprocessor[self] = {(unsigned long long)clock64(), now};
}

static moment *moments; // two of each multiprocessor

static void look(int which) {
  if (options.measure)
    look_kernel<<<1024, 1024>>>(moments + which * MOST_MULTIPROCESSORS);
}

static double megahertz() {
  if (!options.measure)
    return 0;
  std::vector<moment> m(2 * MOST_MULTIPROCESSORS);
  std::vector<double> rates;
  CUDA_CHECK(cudaMemcpy(m.data(), moments, m.size() * sizeof m[0], cudaMemcpyDeviceToHost));
  for (int n = 0; n < MOST_MULTIPROCESSORS; n++) {
    const moment &a = m[n], &b = m[n + MOST_MULTIPROCESSORS];
    if (a.nanoseconds && b.nanoseconds > a.nanoseconds)
      rates.push_back((double)(b.clocks - a.clocks) * 1e3 / (double)(b.nanoseconds - a.nanoseconds));
  }
  CUDA_CHECK(cudaMemset(moments, 0, m.size() * sizeof m[0]));
  if (rates.empty())
    return 0;
  std::sort(rates.begin(), rates.end());
  return rates[rates.size() / 2];
}

// --- one row ---

static cudaEvent_t start, stop;

static float milliseconds(int count, const std::function<void()> &launch) {
  float ms;
  CUDA_CHECK(cudaEventRecord(start));
  for (int n = 0; n < count; n++)
    launch();
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  return ms;
}

bool times_wanted(times_set set) { return !options.set || strcmp(options.set, set_names[set]) == 0; }

void times_of(times_set set, const char *kernel, int n, const std::function<void()> &launch) {
  if (!times_wanted(set) || (options.kernel && strcmp(options.kernel, kernel) != 0) ||
      (options.n && atoi(options.n) != n))
    return;
  const int repeats = options.measure ? REPEATS : 1;
  std::vector<float> single, queued;
  if (options.measure)
    milliseconds(WARM_UP, launch);
  look(0);
  for (int i = 0; i < repeats; i++)
    single.push_back(milliseconds(1, launch));
  for (int i = 0; options.measure && i < 5; i++)
    queued.push_back(milliseconds(QUEUED, launch) / (float)QUEUED);
  look(1);
  const double mhz = megahertz();
  std::sort(single.begin(), single.end());
  std::sort(queued.begin(), queued.end());
  printf("%s,%s,%d,%.6f", set_names[set], kernel, n, single[repeats / 2]);
  if (options.measure)
    printf(",%.6f,%.6f,%.6f,%.0f", single[repeats / 10], single[repeats - 1 - repeats / 10], queued[2], mhz);
  printf("\n");
  fflush(stdout);
}

// --- the command line ---

static void usage(FILE *file) {
  fprintf(
      file,
      "usage: kernel_times [--measure] [--set bench|probe|held_out] [--kernel NAME] [--n N] [--sizes N,N…] "
      "[--products N,N…]\n"
      "Prints CSV: set, kernel, n, milliseconds of one launch. With --measure, the median of 21 launches, then "
      "the times\nthat two of 21 are below and above, the time of each of 10 queued launches, and the clock in MHz.\n");
}

static void die(const char *option, const char *value) {
  fprintf(stderr, "kernel_times: %s: unexpected value '%s'; see --help\n", option, value);
  exit(2);
}

static std::vector<int> sizes_of(const char *option, const char *list) {
  std::vector<int> sizes;
  for (const char *at = list; *at;) {
    char *end;
    const long n = strtol(at, &end, 10);
    if (end == at || n < 256 || n > 16384 || n % 256 || (*end && *end != ','))
      die(option, list);
    sizes.push_back((int)n);
    at = *end ? end + 1 : end;
  }
  return sizes;
}

static void parse(int argc, char **argv) {
  options.sizes = {1024, 4096};
  options.products = {1024, 2048};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--help") == 0) {
      usage(stdout);
      exit(0);
    }
    if (strcmp(argv[i], "--measure") == 0) {
      options.measure = true;
      continue;
    }
    if (strcmp(argv[i], "--set") == 0) {
      options.set = value;
      if (!times_wanted(TIMES_BENCH) && !times_wanted(TIMES_PROBE) && !times_wanted(TIMES_HELD_OUT))
        die(argv[i], value);
    } else if (strcmp(argv[i], "--kernel") == 0)
      options.kernel = value;
    else if (strcmp(argv[i], "--n") == 0)
      options.n = value;
    else if (strcmp(argv[i], "--sizes") == 0)
      options.sizes = sizes_of(argv[i], value);
    else if (strcmp(argv[i], "--products") == 0)
      options.products = sizes_of(argv[i], value);
    else
      die("argument", argv[i]);
    i++;
  }
}

int main(int argc, char **argv) {
  static void (*const stages[])(int) = {times_lab_01, times_lab_02, times_lab_03,  times_lab_04,
                                        times_lab_05, times_lab_06, times_held_out};
  parse(argc, argv);
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaMalloc((void **)&moments, 2 * MOST_MULTIPROCESSORS * sizeof *moments));
  CUDA_CHECK(cudaMemset(moments, 0, 2 * MOST_MULTIPROCESSORS * sizeof *moments));
  printf("set,kernel,n,ms%s\n", options.measure ? ",ms_fast,ms_slow,queued_ms,mhz" : "");
  if (times_wanted(TIMES_PROBE))
    times_probes();
  for (int n : options.sizes)
    for (auto stage : stages) {
      stage(n);
      times_free();
    }
  for (int n : options.products) {
    times_products(n);
    times_free();
  }
  return 0;
}
