// The device's own messages carry commands of CI services, terminal sequences and secrets: by printf, by assert, by the
// name of a source.
// with: PRINTF ASSERT NAMED
// base: solution
// hook
// points: 46
// expect: WRONG CRASH OUTPUT
#include <assert.h>
enum { PRINTF, ASSERT, NAMED };
#line 1 "::error file=x,line=1::y\u202e"
static __global__ void loud_kernel(int *x) {
  if (WITH == PRINTF)
    printf("\n::error::stopped\n##vso[task.complete result=Succeeded]\n\x1b[31m\x9b"
           "31m\r::set-output name=points::100\n");
  if (WITH == ASSERT)
    assert(!"\n::error::stopped\n\x1b[31m");
  if (WITH == NAMED)
    x[1 << 28] = 1;
}
static void hook() {
  static int *x;
  if (!x)
    cudaMalloc(&x, 4);
  loud_kernel<<<1, 1>>>(x);
}
