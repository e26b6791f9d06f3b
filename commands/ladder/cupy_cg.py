#!/usr/bin/env python3
"""cupy_cg.py N: runs CuPy's conjugate gradients on a sparse matrix (CSR) for the problem of lab 06: f = 1 on N x N
points, double, relative residual 1e-6. Prints versions, iterations and time, or one line that says why it cannot run."""

import inspect
import sys
import time

TOLERANCE = 1e-6

try:
    import cupy
    from cupyx.scipy import sparse
    from cupyx.scipy.sparse import linalg
except ImportError as error:
    print(f"CuPy's CG is skipped: {error}")
    sys.exit(0)


def operator(n):
    """h² times the 5-point operator on n x n interior points."""
    line = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n), format="csr", dtype=cupy.float64)
    one = sparse.identity(n, dtype=cupy.float64, format="csr")
    return (sparse.kron(one, line) + sparse.kron(line, one)).tocsr()


def tolerance():
    """The keyword argument: newer releases call it rtol."""
    return {"rtol" if "rtol" in inspect.signature(linalg.cg).parameters else "tol": TOLERANCE}


def solve(a, b):
    """Returns seconds, iterations and the true relative residual."""
    iterations = 0

    def count(_):
        nonlocal iterations
        iterations += 1

    cupy.cuda.Device().synchronize()
    start = time.perf_counter()
    u, info = linalg.cg(a, b, maxiter=100000, callback=count, **tolerance())
    cupy.cuda.Device().synchronize()
    seconds = time.perf_counter() - start
    if info != 0:
        sys.exit(f"cupy_cg.py: cg returned {info}: expected 0")
    return seconds, iterations, float(cupy.linalg.norm(b - a @ u) / cupy.linalg.norm(b))


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit() or int(sys.argv[1]) < 3:
        print("cupy_cg.py: expected one argument: N, 3 or larger", file=sys.stderr)
        sys.exit(2)
    n = int(sys.argv[1]) - 2
    a, b = operator(n), cupy.full(n * n, 1.0 / (n + 1) ** 2)
    linalg.cg(a, b, maxiter=10, **tolerance())  # warm-up
    seconds, iterations, residual = solve(a, b)
    print(f"CuPy {cupy.__version__}, CUDA runtime {cupy.cuda.runtime.runtimeGetVersion()}: N {n + 2}, "
          f"{iterations} iterations, {1e3 * seconds:.1f} ms, relative residual {residual:.2e}")


if __name__ == "__main__":
    main()
