#!/usr/bin/env python3
"""What other software needs for the problem of lab 06 (f = 1, to a relative residual of 1e-6) and for one
red-black or Jacobi sweep of lab 02, on this machine's GPU, N x N points each. Prints versions and a table, or one line that says
why a peer cannot run."""

import argparse
import csv
import importlib
import math
import statistics
import time

REPEATS = 5


class Missing(Exception):
    """A peer cannot run here: the reason."""


def need(name):
    try:
        return importlib.import_module(name)
    except Exception as error:  # a broken installation fails in many ways
        raise Missing(f"{name}: {str(error).splitlines()[0]}") from error


def timed(run, wait):
    """Median of milliseconds, after one warm-up."""
    run()
    wait()
    samples = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        wait()
        samples.append(1e3 * (time.perf_counter() - start))
    return statistics.median(samples)


def residual(cupy, u, h2f):
    """The relative residual of the interior points, in double."""
    r = h2f - 4 * u
    r[1:] += u[:-1]
    r[:-1] += u[1:]
    r[:, 1:] += u[:, :-1]
    r[:, :-1] += u[:, 1:]
    return float(cupy.linalg.norm(r) / cupy.linalg.norm(h2f))


def eigenvalues(cupy, n):
    """Of the one-dimensional operator [-1 2 -1] on n points."""
    return 2 - 2 * cupy.cos(math.pi * cupy.arange(1, n + 1) / (n + 1))


def sines_of_rows(cupy, x):
    """The odd extension of each row, by cuFFT."""
    n = x.shape[1]
    odd = cupy.zeros((len(x), 2 * (n + 1)), x.dtype)
    odd[:, 1:n + 1] = x
    odd[:, n + 2:] = -x[:, ::-1]
    return -cupy.fft.rfft(odd, axis=1).imag[:, 1:n + 1] / 2


def sine_transform(cupy, x):
    """Type I, of rows and columns. Where the memory would not do for all rows at once, some after the other."""
    for _ in range(2):
        if len(x) <= 16384:
            x = sines_of_rows(cupy, x).T
        else:
            y = cupy.empty_like(x)
            for first in range(0, len(x), 4096):
                y[first:first + 4096] = sines_of_rows(cupy, x[first:first + 4096])
            x = y.T
    return x


def by_fft(size):
    """Diagonalisation by cuFFT, double."""
    cupy = need("cupy")
    n = size - 2
    h2f = cupy.full((n, n), 1.0 / (n + 1) ** 2)
    line = eigenvalues(cupy, n)
    result = []

    def solve():
        scaled = sine_transform(cupy, h2f) / (line[:, None] + line[None, :])
        result[:] = [sine_transform(cupy, scaled) * (2 / (n + 1)) ** 2]

    ms = timed(solve, cupy.cuda.Device().synchronize)
    return f"CuPy {cupy.__version__}, cuFFT", ms, residual(cupy, result[0], h2f)


def by_products(size):
    """Diagonalisation by four matrix products of cuBLAS, double."""
    cupy = need("cupy")
    n = size - 2
    h2f = cupy.full((n, n), 1.0 / (n + 1) ** 2)
    index = cupy.arange(1, n + 1)
    vectors = cupy.sin(math.pi / (n + 1) * ((index[:, None] * index[None, :]) % (2 * (n + 1)))) * math.sqrt(2 / (n + 1))
    line = eigenvalues(cupy, n)
    result = []

    def solve():
        scaled = (vectors @ h2f @ vectors) / (line[:, None] + line[None, :])
        result[:] = [vectors @ scaled @ vectors]

    ms = timed(solve, cupy.cuda.Device().synchronize)
    return f"CuPy {cupy.__version__}, cuBLAS", ms, residual(cupy, result[0], h2f)


def jacobi_by_torch(size):
    """A Jacobi sweep in float, compiled by TorchInductor."""
    torch = need("torch")
    u = torch.rand(size, size, device="cuda")
    h2f = torch.rand(size, size, device="cuda")

    def sweep(u, h2f):
        out = u.clone()
        out[1:-1, 1:-1] = 0.25 * (((u[1:-1, :-2] + u[1:-1, 2:]) + u[:-2, 1:-1]) + u[2:, 1:-1] + h2f[1:-1, 1:-1])
        return out

    compiled = torch.compile(sweep)
    return f"torch.compile {torch.__version__}", timed(lambda: compiled(u, h2f), torch.cuda.synchronize), None


def red_black_by_numba(size):
    """Two half-sweeps in float with the natural layout and a mask, Numba's CUDA target."""
    numpy = need("numpy")
    if not hasattr(numpy, "row_stack"):
        numpy.row_stack = numpy.vstack  # some releases of Numba need the old name
    cuda, numba = need("numba.cuda"), need("numba")
    quarter = numpy.float32(0.25)

    @cuda.jit
    def half(u, h2f, colour):
        j, i = cuda.grid(2)
        if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1 and (i + j) & 1 == colour:
            u[i, j] = quarter * ((((u[i, j - 1] + u[i, j + 1]) + u[i - 1, j]) + u[i + 1, j]) + h2f[i, j])

    u = cuda.to_device(numpy.random.default_rng(1).random((size, size), dtype=numpy.float32))
    h2f = cuda.device_array_like(u)
    blocks = ((size + 31) // 32, (size + 7) // 8)

    def sweep():
        half[blocks, (32, 8)](u, h2f, 0)
        half[blocks, (32, 8)](u, h2f, 1)

    return f"Numba {numba.__version__}", timed(sweep, cuda.synchronize), None


def red_black_by_triton(size):
    """Two half-sweeps in float with the split layout of lab 04, Triton."""
    triton, torch = need("triton"), need("torch")
    half, pitch = triton_kernel(triton), (size // 2 + 31) // 32 * 32 + 32
    u = [torch.rand(size, pitch, device="cuda") for _ in range(2)]
    h2f = [torch.rand(size, pitch, device="cuda") for _ in range(2)]
    width = 1024
    grid = (size - 2, triton.cdiv(pitch, width))

    def sweep():
        half[grid](u[0], u[1], h2f[0], size, pitch, 0, width)
        half[grid](u[1], u[0], h2f[1], size, pitch, 1, width)

    return f"Triton {triton.__version__}", timed(sweep, torch.cuda.synchronize), None


def triton_kernel(triton):
    globals()["tl"] = need("triton.language")  # its compiler looks names up in the module

    @triton.jit
    def half(own, other, h2f, size, pitch, colour, width: tl.constexpr):
        i = tl.program_id(0) + 1
        jh = tl.program_id(1) * width + tl.arange(0, width)
        shift = (i + colour) & 1
        j = 2 * jh + shift
        inside = (j > 0) & (j < size - 1)
        k = i * pitch + jh
        west = tl.load(other + k - 1 + shift, mask=inside)
        east = tl.load(other + k + shift, mask=inside)
        north = tl.load(other + k - pitch, mask=inside)
        south = tl.load(other + k + pitch, mask=inside)
        source = tl.load(h2f + k, mask=inside)
        tl.store(own + k, 0.25 * ((((west + east) + north) + south) + source), mask=inside)

    return half


SOLVERS = {"diagonalisation by FFT": by_fft, "diagonalisation by products": by_products}
SWEEPS = {"Jacobi": jacobi_by_torch, "red-black, mask": red_black_by_numba, "red-black, split": red_black_by_triton}


def size_of(word):
    if not (word.isdigit() and 3 <= int(word) <= 32768):
        raise argparse.ArgumentTypeError(f"expected a size from 3 to 32768, got '{word}'")
    return int(word)


def measured(sizes):
    """Yields task, peer, size, milliseconds and residual, or "" if there is none; prints why a peer is left out."""
    for peers in (SOLVERS, SWEEPS):
        for task, peer in peers.items():
            for size in sizes:
                try:
                    name, ms, left = peer(size)
                except Exception as reason:  # of the peer
                    print(f"{task:28} N {size}: skipped: {type(reason).__name__}: {str(reason).splitlines()[0]}")
                    continue
                yield task, name, size, f"{ms:.4f}", "" if left is None else f"{left:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=size_of, default=[256, 1024, 4096, 16384], metavar="N")
    parser.add_argument("--csv", type=argparse.FileType("w"), metavar="FILE", help="also write the table to this file")
    options = parser.parse_args()
    header = ("task", "peer", "n", "ms", "residual")
    table = csv.writer(options.csv, lineterminator="\n") if options.csv else None
    if table:
        table.writerow(header)
    print("{:28} {:34} {:>6} {:>10} {:>9}".format(*header))
    for row in measured(options.sizes):
        print("{:28} {:34} {:6} {:>10} {:>9}".format(*row), flush=True)
        if table:
            table.writerow(row)


if __name__ == "__main__":
    main()
