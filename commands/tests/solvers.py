"""The solvers of the labs, in double, for checks of the pages: iteration counts that the expressions of theory.py may use.

The problem is −Δu = f on n × n interior points of the unit square, u = 0 at the start and on the boundary. f is 1, or the
manufactured function of common/poisson/problem.c.
"""

import math

import numpy


def right_side(n, manufactured):
    """h²f on the interior points, row i for y and column j for x."""
    h = 1 / (n + 1)
    if not manufactured:
        return numpy.full((n, n), h * h)
    x, y = numpy.meshgrid(h * numpy.arange(1, n + 1), h * numpy.arange(1, n + 1))
    a, b = x * (1 - x) * numpy.exp(x), y * (1 - y) * numpy.exp(2 * y)
    a_second = -x * (x + 3) * numpy.exp(x)
    b_second = (4 * y * (1 - y) + 4 * (1 - 2 * y) - 2) * numpy.exp(2 * y)
    return -h * h * (a_second * b + a * b_second)


def neighbours(u):
    return u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]


def sweeps(n, tolerance, omega=1.0, jacobi=False, manufactured=False):
    """Sweeps of red-black SOR, or of Jacobi, until the relative residual in the 2-norm is at most the tolerance."""
    h2f, u = right_side(n, manufactured), numpy.zeros((n + 2, n + 2))
    red = numpy.add.outer(numpy.arange(1, n + 1), numpy.arange(1, n + 1)) % 2 == 0
    limit = (tolerance * numpy.linalg.norm(h2f)) ** 2
    parts = [numpy.ones((n, n))] if jacobi else [red.astype(float), (~red).astype(float)]
    inner = u[1:-1, 1:-1]
    for count in range(100000):
        step = (neighbours(u) + h2f) / 4 - inner
        if 16 * numpy.vdot(step, step) <= limit:
            return count
        for number, part in enumerate(parts):
            if number:
                step = (neighbours(u) + h2f) / 4 - inner
            inner += omega * part * step
    raise ArithmeticError("no convergence")


def exact(n):
    """The solution of the discrete problem with f = 1."""
    k = numpy.arange(1, n + 1)
    sines = numpy.sin(numpy.outer(k, k) * math.pi / (n + 1)) * math.sqrt(2 / (n + 1))
    one = 4 * numpy.sin(k * math.pi / (2 * (n + 1))) ** 2
    return sines @ ((sines @ right_side(n, False) @ sines) / (one[:, None] + one[None, :])) @ sines


def product(p):
    return 4 * p - neighbours(numpy.pad(p, 1))


def cg(n, tolerance, norm="residual", delayed=False):
    """Iterations of CG until the residual (2-norm) or the error (A-norm) falls by the tolerance. `delayed` adds α p to u one
    iteration later, as the exercise of lab 06 does, and returns the largest difference of u instead."""
    r = right_side(n, False)
    u, late, p, rho, first = numpy.zeros_like(r), numpy.zeros_like(r), r.copy(), numpy.vdot(r, r), None
    solution, alpha = exact(n), 0.0
    first = math.sqrt(numpy.vdot(solution, product(solution))) if norm == "error" else math.sqrt(rho)
    old = numpy.zeros_like(r)
    for count in range(100000):
        e = solution - u
        now = math.sqrt(max(0.0, numpy.vdot(e, product(e)))) if norm == "error" else math.sqrt(rho)
        if now <= tolerance * first:
            return float(abs(late + alpha * old - u).max()) if delayed else count
        late += alpha * old
        q = product(p)
        alpha, old = rho / numpy.vdot(p, q), p
        u += alpha * p
        r = r - alpha * q
        rho, before = numpy.vdot(r, r), rho
        p = r + rho / before * p
    raise ArithmeticError("no convergence")


def relax(u, h2f, colours):
    """Half-sweeps of red-black Gauss-Seidel on u, boundary included, in the order of colours."""
    n = len(h2f)
    colour = numpy.add.outer(numpy.arange(1, n + 1), numpy.arange(1, n + 1)) % 2
    for wanted in colours:
        u[1:-1, 1:-1] = numpy.where(colour == wanted, (neighbours(u) + h2f) / 4, u[1:-1, 1:-1])


def v_cycle(u, h2f, after):
    """A V(1,1) cycle of lab 07 on u, boundary included; the last sweep begins with the colour `after`."""
    relax(u, h2f, (0, 1))
    if len(h2f) == 1:
        return
    r = h2f - product(u[1:-1, 1:-1])
    lines = r[:-2:2] + 2 * r[1:-1:2] + r[2::2]  # around every second row, then around every second column
    below = (lines[:, :-2:2] + 2 * lines[:, 1:-1:2] + lines[:, 2::2]) / 4  # 4 times 1/16
    e = numpy.zeros((len(below) + 2, len(below) + 2))
    v_cycle(e, below, after)
    u[::2, ::2] += e
    u[1::2, ::2] += (e[:-1] + e[1:]) / 2
    u[::2, 1::2] += (e[:, :-1] + e[:, 1:]) / 2
    u[1::2, 1::2] += (e[:-1, :-1] + e[:-1, 1:] + e[1:, :-1] + e[1:, 1:]) / 4
    relax(u, h2f, (after, 1 - after))


def cycles(n, tolerance, after=0):
    """V(1,1) cycles until the relative residual in the 2-norm is at most the tolerance; n + 1 is a power of two."""
    h2f, u = right_side(n, False), numpy.zeros((n + 2, n + 2))
    for count in range(1000):
        if numpy.linalg.norm(h2f - product(u[1:-1, 1:-1])) <= tolerance * numpy.linalg.norm(h2f):
            return count
        v_cycle(u, h2f, after)
    raise ArithmeticError("no convergence")


NAMES = {"sweeps": sweeps, "cg": cg, "cycles": cycles}
