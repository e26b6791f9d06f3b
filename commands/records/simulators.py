"""One launch of a five-point stencil on 128 x 128 points in Numba's simulator, for docs/comparison.md. It needs numba from PyPI."""

import os
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy  # noqa: E402
from numba import cuda  # noqa: E402  (the variable must be set first)

N = 128


@cuda.jit
def stencil(u, f):
    j, i = cuda.grid(2)
    if 0 < i < N - 1 and 0 < j < N - 1:
        f[i, j] = 4 * u[i, j] - u[i, j - 1] - u[i, j + 1] - u[i - 1, j] - u[i + 1, j]
    else:
        f[i, j] = u[i, j]


u = (numpy.arange(N * N, dtype=numpy.int64) ** 2 % 97).astype(numpy.float32).reshape(N, N)
f = numpy.zeros_like(u)
start = time.process_time()
stencil[(N // 32, N // 8), (32, 8)](u, f)
print(f"sum {f.sum(dtype=float):.0f}; {time.process_time() - start:.2f} CPU seconds")
