// Calls through addresses: tables of functions, virtual functions, recursion with a function as argument.
#include "harness.h"

#include <algorithm>
#include <new>

enum { N = 300 };

typedef int (*Unary)(int);
__host__ __device__ int twice(int x) { return 2 * x; }
__host__ __device__ int square(int x) { return x * x; }
__host__ __device__ int negated(int x) { return -x; }
__host__ __device__ int halved(int x) { return x / 2; }
__device__ Unary table[] = {twice, square, negated};
__constant__ Unary fixed = halved;

// Threads of a warp call different functions; some call none.
__global__ void call_table(int n, const int *x, int *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = x[i];
  for (int k = 0; k < 3; k++)
    if (value & 1 << k)
      value = table[(i + k) % 3](value) + fixed(i);
  r[i] = value;
}
TEST(call_table) {
  const Unary host_table[] = {twice, square, negated};
  Array<int> x(N, -20, 20), r(N);
  call_table<<<ceil_div(N, 96), 96>>>(N, x, r);
  check(r, [&](int i) {
    int value = x[i];
    for (int k = 0; k < 3; k++)
      if (value & 1 << k)
        value = host_table[(i + k) % 3](value) + halved(i);
    return value;
  });
}

// A function's address through memory: one kernel writes it, the next calls it.
__global__ void write_function(Unary *f, int which) { *f = which ? square : negated; }
__global__ void call_function(const Unary *f, int *r) { r[threadIdx.x] = (*f)((int)threadIdx.x - 20); }
TEST(stored_function) {
  Array<char> cell(sizeof(Unary));
  Array<int> r(50), s(50);
  write_function<<<1, 1>>>(cell.as<Unary>(), 0);
  call_function<<<1, 50>>>(cell.as<Unary>(), r);
  write_function<<<1, 1>>>(cell.as<Unary>(), 1);
  call_function<<<1, 50>>>(cell.as<Unary>(), s);
  check(r, [](int i) { return negated(i - 20); });
  check(s, [](int i) { return square(i - 20); });
}

struct Shape {
  __host__ __device__ virtual float area() const = 0;
  __host__ __device__ virtual float scaled(float by) const { return by * by * area(); }
};
struct Square : Shape {
  float side;
  __host__ __device__ Square(float x) : side(x) {}
  __host__ __device__ float area() const override { return side * side; }
};
struct Triangle : Shape {
  float base, height;
  __host__ __device__ Triangle(float b, float h) : base(b), height(h) {}
  __host__ __device__ float area() const override { return 0.5f * base * height; }
  __host__ __device__ float scaled(float by) const override { return by * Shape::scaled(by) / by; }
};
union Room {
  char square[sizeof(Square)], triangle[sizeof(Triangle)];
  long long alignment;
};
__host__ __device__ Shape *make_shape(Room *at, int i) {
  if (i % 3)
    return new (at) Square(i * 0.5f);
  return new (at) Triangle((float)i, 3.0f);
}
__global__ void construct(int n, Room *rooms, Shape **shapes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    shapes[i] = make_shape(&rooms[i], i);
}
__global__ void virtual_areas(int n, Shape *const *shapes, float *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = shapes[i]->area() + shapes[n - 1 - i]->scaled(1.5f);
}
TEST(virtual_functions) {
  Array<char> rooms(N * sizeof(Room)), shapes(N * sizeof(Shape *));
  Array<float> r(N);
  construct<<<ceil_div(N, 64), 64>>>(N, rooms.as<Room>(), shapes.as<Shape *>());
  virtual_areas<<<ceil_div(N, 128), 128>>>(N, shapes.as<Shape *>(), r);
  check(r, [](int i) {
    Room a, b;
    return make_shape(&a, i)->area() + make_shape(&b, N - 1 - i)->scaled(1.5f);
  });
}

// C. A. R. Hoare, "Quicksort", The Computer Journal 5(1), 1962; one thread per row, in the order that `before` defines.
typedef bool (*Before)(int, int);
__device__ bool ascending(int a, int b) { return a < b; }
__device__ bool descending(int a, int b) { return b < a; }
__device__ bool by_last_digit(int a, int b) { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; }
__device__ Before orders[] = {ascending, descending, by_last_digit};
__device__ void quicksort(int *x, int low, int high, Before before) {
  if (low >= high)
    return;
  int pivot = x[low + (high - low) / 2], i = low - 1, j = high + 1;
  for (;;) {
    while (before(x[++i], pivot))
      ;
    while (before(pivot, x[--j]))
      ;
    if (i >= j)
      break;
    int swap = x[i];
    x[i] = x[j];
    x[j] = swap;
  }
  quicksort(x, low, j, before);
  quicksort(x, j + 1, high, before);
}
enum { WIDTH = 37 };
__global__ void quicksort_rows(int rows, int *x) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    quicksort(x + WIDTH * row, 0, WIDTH - 1, orders[row % 3]);
}
TEST(quicksort_rows) {
  enum { ROWS = 45 };
  Array<int> x(ROWS * WIDTH, 0, 500);
  quicksort_rows<<<2, 32>>>((int)ROWS, x);
  int *wanted = new int[x.count];
  std::copy(&x[0], &x[0] + x.count, wanted);
  for (int row = 0; row < ROWS; row++)
    std::sort(wanted + WIDTH * row, wanted + WIDTH * (row + 1), [=](int a, int b) {
      return row % 3 == 0 ? a < b : row % 3 == 1 ? b < a : a % 10 != b % 10 ? a % 10 < b % 10 : a < b;
    });
  check(x, [&](int k) { return wanted[k]; });
  delete[] wanted;
}
