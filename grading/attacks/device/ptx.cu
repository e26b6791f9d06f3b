// Inline PTX that the assembler or the simulated GPU could stumble over.
// with: ENDLESS_LINE HUGE_TABLE MANY_REGISTERS BRANCHES
// expect: COMPILE CRASH WRONG TIMEOUT MEMORY
// base: solution
// hook
// points: 100
// seconds: 240
#define ENDLESS_LINE 1
#define HUGE_TABLE 2
#define MANY_REGISTERS 3
#define BRANCHES 4
#define TEN(x) x x x x x x x x x x
#define THOUSAND(x) TEN(TEN(TEN(x)))
__global__ void stumbles(int *x) {
  if (WITH == ENDLESS_LINE)
    asm volatile(THOUSAND(TEN("/* x */ ")) "mov.u32 %0, 1;" : "=r"(*x));
  if (WITH == HUGE_TABLE)
    asm volatile("{ .local .b8 table[1000000000]; }");
  if (WITH == MANY_REGISTERS)
    asm volatile("{ .reg .b64 many<100000000>; mov.b64 many99999999, 0; }");
  if (WITH == BRANCHES)
    asm volatile("{ here: bra here; }");
}
static void hook(void) {
  int *x;
  cudaMalloc((void **)&x, 4);
  stumbles<<<1, 32>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess)
    exit(1);
  cudaFree(x);
}
