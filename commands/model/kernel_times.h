// Times of kernels with device events, on a simulated or a real GPU.
#pragma once

#include <functional>

// bench: kernels of ./kit bench and of the labs. probe: kernels with one bottleneck each. The time model may be fitted
// to both. held_out: kernels that no constant of the model was fitted to.
enum times_set { TIMES_BENCH, TIMES_PROBE, TIMES_HELD_OUT };

// Measures the launches that `launch` queues, if the command line selects them, and prints a row. Kernels may run any
// number of times.
void times_of(times_set set, const char *kernel, int n, const std::function<void()> &launch);
bool times_wanted(times_set set);

// Device memory until the end of a program's stage: values in [0, 1), or zero bytes.
float *times_floats(size_t count);
double *times_doubles(size_t count);
void *times_zeroed(size_t bytes);
// Frees all of it.
void times_free();

inline int times_blocks(long points, int points_per_block) {
  return (int)((points + points_per_block - 1) / points_per_block);
}

// The sets' kernels for n x n points.
void times_lab_01(int n);
void times_lab_02(int n);
void times_lab_03(int n);
void times_lab_04(int n);
void times_lab_05(int n);
void times_lab_06(int n);
void times_products(int n); // n: rows of the matrices
void times_held_out(int n);
void times_probes();
