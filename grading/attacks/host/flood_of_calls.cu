// Calls the device without end: many short requests instead of a long one.
// base: solution
// hook
// points: 20
// expect: TIMEOUT WRONG CRASH MEMORY VIOLATION
// with: COPIES ALLOCATIONS LAUNCHES
// seconds: 240
#define COPIES 1
#define ALLOCATIONS 2
#define LAUNCHES 3
__global__ void nothing(void) {}
static void hook(void) {
  static char text[64];
  void *memory;
  cudaMalloc(&memory, sizeof text);
  for (;;)
    if (WITH == COPIES)
      cudaMemcpy(memory, text, sizeof text, cudaMemcpyHostToDevice);
    else if (WITH == ALLOCATIONS)
      cudaMalloc(&memory, 256);
    else
      nothing<<<1, 1>>>();
}
