// A kernel whose lines are said to be in another file: the device may read all files, and prints lines.
// with: RACE FAULT COUNTED
// expect: WRONG CRASH
// points: 46
// base: solution
// hook
enum { RACE, FAULT, COUNTED };
static __global__ void other_kernel(int *x) {
#line 1 "/srv/secret/word"
  x[WITH == FAULT ? 1 << 28 : WITH == RACE ? 0 : threadIdx.x * 33] = threadIdx.x + blockIdx.x;
#line 12 "source_line.cu"
}
static void hook() {
  static int *x;
  if (!x)
    cudaMalloc(&x, 64 * 33 * sizeof *x);
  other_kernel<<<1, 64>>>(x);
}
