// printf() in a kernel writes what printf() of the host writes, since hardware leaves the formatting to the host.
// test_device_printing host | device: prints the same lines from there.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__host__ __device__ void lines() {
  printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%i\n", 42, 42, 42, 42, 42, 42, 42, -7);
  printf("%u %x %X %#x %o %#o %u\n", 42u, 255u, 255u, 255u, 8u, 8u, -1);
  printf("%ld %lld %lu %llx %zu\n", -5L, -6LL, ~0UL, ~0ULL, sizeof(double));
  printf("%hd %hhd %hu %hhu %hx %hhx %hd\n", 65539, 259, 65539, 259, 0x12345678, 0x12345678, 40000);
  printf("%jd %zd\n", (long)-4, (long)-5);
  printf("%f %.3f %10.2f|%-10.2f|%e %E %g %G %a\n", 3.14159, 3.14159, 3.14159, 3.14159, 31415.9, 31415.9,
         1e-10, 1e20, 1.0);
  printf("%s|%10s|%-10s|%.2s|%c%c%%\n", "abc", "abc", "abc", "abc", 'x', 'y');
  printf("%*d|%-*d|%.*f|\n", 6, 42, 6, 42, 2, 3.14159);
  printf("%p|%20p|%-20p|%p|%8p\n", (void *)0x1234, (void *)0x1234, (void *)0x1234, (void *)0, (void *)0);
}

// Conversions that only hosts have. A variable, since the compiler would warn.
__device__ const char unknown[] = "%d %td %d\n", percent[] = "[%5%]\n", end[] = "[%";

__global__ void print() {
  lines();
  const int converted = printf(unknown, 1, 2, 3);
  printf("%d %d", converted, printf(percent));
  printf(end);
}

// What an H200 writes.
static void print_expected() {
  lines();
  fputs("1 %td %d\n[%5%]\n1 0[%", stdout);
}

int main(int argc, char **argv) {
  const bool host = argc == 2 && strcmp(argv[1], "host") == 0;
  if (host)
    print_expected();
  else
    print<<<1, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
