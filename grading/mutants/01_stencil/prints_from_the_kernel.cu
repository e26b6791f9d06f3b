// 01/naive: a kernel calls printf: expected no output of kernels
// A printf from the search for an error is left.
// INSTEAD OF: const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
if (i == 1 && j == 1)
  printf("u(1, 1) = %g\n", u[k]);
// END(2)
