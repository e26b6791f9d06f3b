"""The figures of labs/07_multigrid/THEORY.md."""

import numpy
from drawing import COLOURS, INK, LINES, MARKERS, PALE, PAPER, arrow, bare, cell, drawing

N = 32  # intervals


def sweep(u, f):
    """A red-black sweep on the interior of u, whose boundary is zero."""
    rows, columns = numpy.indices(u.shape)
    inside = numpy.zeros(u.shape, bool)
    inside[1:-1, 1:-1] = True
    for colour in (0, 1):
        here = inside & ((rows + columns) % 2 == colour)
        total = f.copy()
        total[1:-1, 1:-1] += u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]
        u[here] = total[here] / 4
    return u


def interpolation(n):
    """Linear interpolation from n/2 + 1 to n + 1 points, boundary included."""
    p = numpy.zeros((n + 1, n // 2 + 1))
    for j in range(n // 2 + 1):
        for d in (-1, 0, 1):
            if 0 <= 2 * j + d <= n:
                p[2 * j + d, j] = 1 - abs(d) / 2
    return p


def operator(n):
    """h²A on the interior points in one dimension."""
    return 2 * numpy.eye(n - 1) - numpy.eye(n - 1, k=1) - numpy.eye(n - 1, k=-1)


def correct(u):
    """u after the exact coarse-grid correction for f = 0."""
    r = numpy.zeros_like(u)
    r[1:-1, 1:-1] = u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 4 * u[1:-1, 1:-1]
    p = interpolation(N)
    below = (p.T @ r @ p)[1:-1, 1:-1]  # four times full weighting
    one = operator(N // 2)
    values, vectors = numpy.linalg.eigh(one)
    e = vectors @ ((vectors.T @ below @ vectors) / (values[:, None] + values[None, :])) @ vectors.T
    return u + p @ numpy.pad(e, 1) @ p.T


@drawing("smoothing", height=2.9)
def smoothing(axes):
    """What a sweep and a two-grid cycle leave of the error in mode (k, k)."""
    modes = numpy.arange(1, N // 2 + 1)  # two colours exchange mode (k, k) and mode (N - k, N - k)
    x = numpy.arange(N + 1) / N
    left = []
    for k in modes:
        mode = numpy.outer(numpy.sin(k * numpy.pi * x), numpy.sin(k * numpy.pi * x))
        zero = numpy.zeros_like(mode)
        once = sweep(mode.copy(), zero)
        both = sweep(correct(sweep(mode.copy(), zero)), zero)
        left.append([numpy.linalg.norm(u) / numpy.linalg.norm(mode) for u in (once, both)])
    for order, (name, values) in enumerate(zip(("a red-black sweep", "sweep, correction, sweep"), numpy.array(left).T)):
        axes.plot(modes, values, color=COLOURS[order], linestyle=LINES[order], marker=MARKERS[order], markersize=4, linewidth=1.3,
                  label=name)
    axes.legend(frameon=False, fontsize=8.5)
    axes.set(xlabel="k, mode sin kπx · sin kπy on 33 × 33 points", ylabel="fraction of the error that is left", xlim=(0, N // 2 + 1), ylim=(0, 1.05))


@drawing("error", height=2.6)
def error(axes):
    """The error on 33 x 33 points before the first sweep and after five, one line for every fourth row."""
    bare(axes, (-2, 76), (-3, 26), equal=False)
    x = numpy.arange(N + 1) / N
    u = numpy.zeros((N + 1, N + 1))
    for k, m, size in ((1, 1, 1.0), (2, 1, 0.5), (7, 9, 0.6), (13, 11, 0.6), (11, 15, 0.5)):
        u += size * numpy.outer(numpy.sin(m * numpy.pi * x), numpy.sin(k * numpy.pi * x))
    for left, title in ((0, "before the first sweep"), (40, "after five red-black sweeps")):
        axes.text(left + 18, 25, title, ha="center", fontsize=9)
        for order, row in enumerate(range(0, N + 1, 4)[::-1]):
            axes.plot(left + 4 - 0.5 * order + numpy.arange(N + 1), 17 - 2 * order + 3 * u[row], "-", color=COLOURS[0], linewidth=1.1)
        for _ in range(5):
            sweep(u, numpy.zeros_like(u))


@drawing("weights", height=2.7)
def weights(axes):
    """Full weighting and bilinear interpolation."""
    bare(axes, (-0.3, 15.5), (-0.4, 6.2))
    axes.text(0, 5.5, "full weighting: 1/16 of", fontsize=9)
    for i, row in enumerate(((1, 2, 1), (2, 4, 2), (1, 2, 1))):
        for j, value in enumerate(row):
            cell(axes, 0.6 + 1.3 * j, 3.4 - 1.3 * i, value, COLOURS[5] if value == 4 else PAPER, 1.3, 1.3, size=10)
    axes.text(7, 5.5, "interpolation: a fine point gets", fontsize=9)
    for i in range(5):
        for j in range(5):
            coarse = i % 2 == 0 and j % 2 == 0
            text = "1" if coarse else "½ + ½" if i % 2 == 0 or j % 2 == 0 else "4 × ¼"
            cell(axes, 7 + 1.6 * j, 4.3 - 1.05 * i, text, COLOURS[5] if coarse else PALE, 1.6, 1.05, size=7.5)
    axes.text(0.6, -0.1, "blue: points of the coarse grid", fontsize=8)


@drawing("cycle", height=3.0)
def cycle(axes):
    """A V cycle from 129 points per side, with the launches of each level."""
    bare(axes, (-3.2, 16.5), (-0.4, 8.9), equal=False)
    down, up = "sweep (2), residual, restrict", "prolong, sweep (2)"
    axes.text(-3.1, 8.3, "points", fontsize=8)
    axes.text(14.1, 8.3, "launches", fontsize=8)
    sides = [129, 65, 33, 17, 9, 5, 3]
    for level, side in enumerate(sides):
        y, middle = 7.1 - 1.15 * level, 6.9
        axes.text(-1.6, y + 0.4, f"{side}²", ha="center", va="center", fontsize=9)
        axes.text(14.9, y + 0.4, 7 if side > 3 else 1, ha="center", va="center", fontsize=9)
        if side == 3:
            cell(axes, middle - 1.4, y, "one unknown", COLOURS[5], 2.8, 0.8)
            continue
        inset = 0.42 * level
        cell(axes, inset, y, down if level < 1 else "", COLOURS[5] if level < 1 else PALE, 5.6 - 0.25 * level, 0.8, size=7)
        cell(axes, 13.8 - inset - 4.2 + 0.25 * level, y, up if level < 1 else "", COLOURS[5] if level < 1 else PALE, 4.2 - 0.25 * level, 0.8,
             size=7.5)
        arrow(axes, (inset + 2.6, y), (inset + 2.9, y - 0.35), INK, width=0.8)
        arrow(axes, (13.8 - inset - 2.3, y - 0.35), (13.8 - inset - 2.0, y), INK, width=0.8)
