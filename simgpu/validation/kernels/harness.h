// Shared by the kernels of ./kit validate: seeded inputs, results, checks against plain C, and main().
//
//   __global__ void twice(int n, const int *x, int *y) { … }
//   TEST(twice) {
//     Array<int> x(1000, -50, 50), y(1000);
//     twice<<<8, 128>>>(1000, x, y);
//     check(y, [&](int i) { return 2 * x[i]; });
//   }
//
// Results that a test checks or records must not depend on the order in which threads run.
// usage: program [--seed N] [--out FILE]: FILE gets one line per result: test, number of bytes, the bytes in
// hexadecimal. Exit status: 0; 1 if a check failed; 2 on bad usage or a CUDA error.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct Test {
  const char *name;
  void (*run)();
  Test *next;
  static inline Test *first = nullptr, **last = &first, *current = nullptr;
  static inline uint64_t seed = 1, random = 0, digest = 0; // of what the test has recorded
  static inline int failures = 0;
  static inline FILE *out = nullptr;

  Test(const char *name, void (*run)()) : name(name), run(run), next(nullptr) {
    *last = this;
    last = &next;
  }
};

#define TEST(name)                                                                                           \
  static void test_##name();                                                                                 \
  static Test entry_##name(#name, test_##name);                                                              \
  static void test_##name()

static inline void succeed(cudaError_t error) {
  if (!error)
    return;
  fprintf(stderr, "%s: %s\n", Test::current->name, cudaGetErrorString(error));
  exit(2);
}

// SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
static inline uint64_t next_random() {
  uint64_t z = Test::random += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

template <class T> T random_between(T low, T high) { // both included
  if constexpr (T(0.5) != 0)
    return low + (high - low) * T((double)(next_random() >> 11) * 0x1p-53);
  uint64_t count = (uint64_t)high - (uint64_t)low + 1; // 0: all of 64 bits
  return T(low + (count ? next_random() % count : next_random()));
}

// An array on the device, and its initial values on the host: a[i] is element i before any kernel ran.
template <class T> struct Array {
  const int count;
  T *const initial, *device;

  template <class F> Array(int count, F value) : count(count), initial(new T[count]), device(nullptr) {
    for (int i = 0; i < count; i++)
      initial[i] = value(i);
    succeed(cudaMalloc(&device, count * sizeof(T)));
    succeed(cudaMemcpy(device, initial, count * sizeof(T), cudaMemcpyHostToDevice));
  }
  explicit Array(int count) : Array(count, [](int) { return T(0); }) {}
  Array(int count, T low, T high) : Array(count, [=](int) { return random_between(low, high); }) {}
  Array(const Array &) = delete;
  ~Array() {
    succeed(cudaFree(device));
    delete[] initial;
  }
  operator T *() const { return device; }
  const T &operator[](int i) const { return initial[i]; }
  template <class U> U *as() const { return (U *)device; }
};

// Writes the array's present values to the output file; returns them, to be freed with delete[].
template <class T> T *record(const Array<T> &array) {
  T *values = new T[array.count];
  succeed(cudaGetLastError());
  succeed(cudaMemcpy(values, array.device, array.count * sizeof(T), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < array.count * sizeof(T); i++) // FNV-1a
    Test::digest = (Test::digest ^ ((unsigned char *)values)[i]) * 0x100000001b3;
  if (Test::out) {
    fprintf(Test::out, "%s %zu ", Test::current->name, array.count * sizeof(T));
    for (size_t i = 0; i < array.count * sizeof(T); i++)
      fprintf(Test::out, "%02x", ((unsigned char *)values)[i]);
    fputc('\n', Test::out);
  }
  return values;
}

// Records the array, and reports the first element for which `agrees(value, wanted)` is false.
template <class T, class F, class A> void check_if(const Array<T> &array, F wanted, A agrees) {
  T *values = record(array);
  for (int i = 0; i < array.count; i++) {
    T want = wanted(i);
    if (agrees(values[i], want))
      continue;
    fprintf(stderr, "%s: element %d is %.17g, expected %.17g\n", Test::current->name, i, (double)values[i],
            (double)want);
    Test::failures++;
    break;
  }
  delete[] values;
}

// Element i is wanted(i), bit for bit.
template <class T, class F> void check(const Array<T> &array, F wanted) {
  check_if(array, wanted, [](T value, T want) { return memcmp(&value, &want, sizeof value) == 0; });
}

// Element i differs from wanted(i) by at most `bound`.
template <class T, class F> void check_near(const Array<T> &array, double bound, F wanted) {
  check_if(array, wanted, [=](T value, T want) { return fabs((double)value - (double)want) <= bound; });
}

// At the end of a test whose results only a GPU knows: the digest of what an H100 gave with the standard seed and nvcc
// 13.0; and what an H200 gave if nvcc 13.5 makes other code.
static inline void expect_digest(uint64_t wanted, uint64_t of_newer = 0) {
  if (Test::seed != 1 || Test::digest == wanted || (of_newer && Test::digest == of_newer))
    return;
  fprintf(stderr, "%s: the results are not those of a GPU: digest 0x%llx, expected 0x%llx\n",
          Test::current->name, (unsigned long long)Test::digest, (unsigned long long)wanted);
  Test::failures++;
}

static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
      Test::seed = strtoull(argv[i + 1], nullptr, 0);
    } else if (i + 1 < argc && strcmp(argv[i], "--out") == 0) {
      if (!(Test::out = fopen(argv[i + 1], "w"))) {
        fprintf(stderr, "%s: cannot write\n", argv[i + 1]);
        return 2;
      }
    } else {
      fprintf(stderr, "usage: %s [--seed N] [--out FILE]\n", argv[0]);
      return 2;
    }
  }
  for (Test::current = Test::first; Test::current; Test::current = Test::current->next) {
    Test::random = Test::seed;
    Test::digest = 0xcbf29ce484222325;
    Test::current->run();
  }
  if (Test::out && fclose(Test::out)) {
    fprintf(stderr, "cannot write the output file\n");
    return 2;
  }
  return Test::failures > 0;
}
