// Inline PTX closes its function and opens another entry.
// expect: COMPILE CRASH WRONG UNWRITTEN
__global__ void opens(int *x) {
  asm volatile("ret; } .visible .entry compressed_kernel() { ret;");
  *x = 1;
}
ATTACK {
  if (argument("--no-such"))
    opens<<<1, 1>>>(NULL);
}
