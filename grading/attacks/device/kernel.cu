// A kernel that never ends, diverges at a barrier, traps, asserts, reads nothing's address, has too much stack, prints
// or allocates without end, or launches too many blocks.
// with: ENDLESS BARRIER TRAP ASSERT ADDRESS MISALIGNED STACK PRINTS ALLOCATES BLOCKS SHARED
// base: solution
// hook
// points: 20
// seconds: 240
#include <assert.h>
#define ENDLESS 1
#define BARRIER 2
#define TRAP 3
#define ASSERT 4
#define ADDRESS 5
#define MISALIGNED 6
#define STACK 7
#define PRINTS 8
#define ALLOCATES 9
#define BLOCKS 10
#define SHARED 11
__device__ int deeper(volatile int *x, int n) {
  volatile int place[64];
  place[n % 64] = n;
  return n > 1000000 ? *x : deeper(x, n + 1) + place[n % 64];
}
__global__ void hostile(volatile int *x) {
  extern __shared__ int tile[];
  if (WITH == ENDLESS)
    while (*x == 0)
      ;
  if (WITH == BARRIER && threadIdx.x % 2)
    __syncthreads();
  if (WITH == TRAP)
    asm volatile("trap;");
  if (WITH == ASSERT)
    assert(*x);
  if (WITH == ADDRESS)
    *(volatile int *)0x123456789 = 1;
  if (WITH == MISALIGNED)
    *(volatile int *)((uintptr_t)x + 1) = 1;
  if (WITH == STACK)
    *x = deeper(x, *x);
  for (int n = 0; WITH == PRINTS && n < 1 << 28; n++)
    printf("%d ::error::x\n", n);
  for (int n = 0; WITH == ALLOCATES && n < 1 << 28; n++)
    *(char *)malloc(1024) = 1;
  if (WITH == SHARED)
    tile[threadIdx.x] = 1;
}
static void hook(void) {
  int *x;
  cudaMalloc((void **)&x, 1024);
  cudaMemset(x, 0, 1024);
  if (WITH == BLOCKS)
    hostile<<<dim3(2147483647, 65535, 65535), 1024>>>(x);
  else
    hostile<<<1, 64, WITH == SHARED ? 1 << 30 : 0>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess)
    exit(1);
  cudaFree(x);
}
