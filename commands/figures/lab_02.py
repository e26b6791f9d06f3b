"""The figures of labs/02_masked_redblack/THEORY.md."""

import math

import numpy

from drawing import COLOURS, INK, LINES, PALE, PAPER, arrow, bare, cell, drawing

BLUE, ORANGE, GREEN, SKY, RED = COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[5], "#f3b28a"


@drawing("mask_timeline", height=2.6)
def mask_timeline(axes):
    """Eight lanes of a warp (columns) while the warp runs a branch (rows, time downwards)."""
    steps = [("all lanes compute i + j", "11111111"), ("if (red): these lanes load, add, store", "10101010"),
             ("else: here the others would run, if\nthe kernel had an else branch", "00000000"),
             ("reconverged: all lanes continue", "11111111")]
    bare(axes, (-0.2, 19), (-0.4, 5.2))
    for lane in range(8):
        axes.text(lane + 0.5, 4.35, f"{lane}", ha="center", fontsize=8)
    axes.text(-0.1, 4.9, "lane", fontsize=8)
    for row, (text, mask) in enumerate(steps):
        for lane, active in enumerate(mask):
            cell(axes, lane, 3 - row, "run" if active == "1" else "", SKY if active == "1" else PALE, size=8,
                 height=0.86, hatch="" if active == "1" else "///")
        axes.text(8.3, 3.4 - row, text, va="center", fontsize=8)
    arrow(axes, (18.6, 4), (18.6, 0))
    axes.text(18.3, 4.3, "time", fontsize=8, ha="center")


@drawing("modes", height=2.5)
def modes(axes):
    """An error of three modes on a line of 33 points, before and after Jacobi sweeps."""
    n = 33
    x = numpy.linspace(0, 1, n)
    for place, (sweeps, text) in enumerate(((0, "start"), (5, "5 sweeps"), (50, "50 sweeps"))):
        error = sum(size * math.cos(k * math.pi / (n - 1)) ** sweeps * numpy.sin(k * math.pi * x)
                    for k, size in ((1, 1.0), (6, 0.5), (14, 0.4)))
        axes.plot(x, error, linestyle=LINES[place], color=COLOURS[place], linewidth=1.6, label=text)
    axes.plot([0, 1], [0, 0], "-", color="#888888", linewidth=0.8)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8, handlelength=3)
    axes.set(xlim=(0, 1), xlabel="x", ylabel="error", xticks=[0, 0.25, 0.5, 0.75, 1])


@drawing("eigenvalues", height=2.8)
def eigenvalues(axes):
    """The factor per sweep of the modes p = q = k on 17 x 17 points."""
    n = 17
    k = numpy.arange(1, n - 1)
    jacobi = numpy.cos(k * math.pi / (n - 1))
    fine = numpy.linspace(0, n - 1, 200)
    axes.plot(fine, abs(numpy.cos(fine * math.pi / (n - 1))), "-", color=BLUE, linewidth=0.8)
    axes.plot(k, abs(jacobi), "o", color=BLUE, markersize=5)
    axes.plot(fine, numpy.cos(fine * math.pi / (n - 1)) ** 2, "--", color=ORANGE, linewidth=0.8)
    axes.plot(k, jacobi ** 2, "s", color=ORANGE, markersize=4)
    axes.text(4.35, 0.86, "Jacobi: |cos(kπh)|", color=BLUE, fontsize=8, bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6})
    axes.text(2.0, 0.38, "Gauss–Seidel:\ncos²(kπh)", color=ORANGE, fontsize=8, ha="center")
    axes.annotate(f"slowest: {jacobi[0]:.4f}", (1, jacobi[0]), (1.5, 1.06), fontsize=8, va="center")
    axes.text(8, 0.1, "fast", ha="center", fontsize=8)
    axes.set(xlim=(0, n - 1), ylim=(0, 1.12), xlabel="mode k = p = q", ylabel="factor per sweep", xticks=[1, 4, 8, 12, 15])


@drawing("steps", height=2.5)
def steps(axes):
    """The earliest step of each interior point of 8 x 8 points: row by row, and in two colours."""
    n = 6
    bare(axes, (-0.6, 17.6), (-1.1, 7.3))
    for left, title in ((0, "natural ordering: 11 steps"), (10, "two colours: 2 steps")):
        axes.text(left + n / 2, 6.6, title, ha="center", fontsize=8.5)
        for i in range(n):
            for j in range(n):
                step = i + j + 1 if left == 0 else (i + j) % 2 + 1
                colour = ("#cfe8f7" if (i + j) % 2 else SKY) if left == 0 else RED if step == 1 else "#555555"
                cell(axes, left + j, n - 1 - i, step, colour, ink=PAPER if colour == "#555555" else INK)
    axes.text(3, -0.7, "points of one step lie on a diagonal", ha="center", fontsize=8)
    axes.text(13, -0.7, "red in step 1, black in step 2", ha="center", fontsize=8)


@drawing("race", height=2.3)
def race(axes):
    """Two threads, two orders, two results."""
    bare(axes, (0, 100), (0, 31), equal=False)
    for left, title, moves, end in (
            (2, "order 1: A stores first", ((7, 0, "A loads"), (18, 0, "A stores"), (29, 1, "B loads"), (40, 1, "B stores")),
             "B uses the new u(1,1)"),
            (54, "order 2: B loads first", ((7, 0, "A loads"), (18, 1, "B loads"), (29, 0, "A stores"), (40, 1, "B stores")),
             "B uses the old u(1,1)")):
        axes.text(left + 22, 29, title, ha="center", fontsize=8.5)
        for row, name in ((0, "A in warp 1, point (1, 1)"), (1, "B in warp 2, point (2, 1)")):
            y = 18 - 10 * row
            axes.text(left, y + 5.6, f"thread {name}", fontsize=8, va="center")
            axes.plot([left, left + 44], [y, y], "-", color="#888888", linewidth=0.8, zorder=0.5)
        for x, row, text in moves:
            y = 18 - 10 * row
            cell(axes, left + x - 6.5, y - 1.8, text, SKY if "loads" in text else RED, width=9.6, height=4.4, size=8,
                 hatch="")
        arrow(axes, (left, 3.6), (left + 44, 3.6), width=0.8)
        axes.text(left, 1.4, "time", fontsize=8, va="center")
        axes.text(left + 44, 1.4, end, fontsize=8, va="center", ha="right")


def norm(values):
    return math.sqrt(math.fsum(float(v) * float(v) for v in values.ravel()))


def direct(n):
    """The exact solution of the discrete problem with f = 1, by sine functions."""
    k = numpy.arange(1, n - 1)
    sines = numpy.sin(numpy.outer(k, k) * math.pi / (n - 1)) * math.sqrt(2 / (n - 1))
    one = 4 * (n - 1) ** 2 * numpy.sin(k * math.pi / (2 * (n - 1))) ** 2
    u = numpy.zeros((n, n))
    u[1:-1, 1:-1] = sines @ ((sines @ numpy.ones((n - 2, n - 2)) @ sines) / (one[:, None] + one[None, :])) @ sines
    return u


def history(n, kind, sweeps):
    """Relative residuals and errors of red-black Gauss-Seidel for f = 1, u = 0, each 25 sweeps."""
    exact, u = direct(n), numpy.zeros((n, n), kind)
    h2f, quarter, inv_h2 = kind((1 / (n - 1)) ** 2), kind(0.25), (n - 1) ** 2
    red = numpy.add.outer(numpy.arange(n), numpy.arange(n)) % 2 == 0
    points, residuals, errors = [], [], []
    for sweep in range(sweeps + 1):
        if sweep % 25 == 0:
            wide = u.astype(float)
            r = 1 - (4 * wide[1:-1, 1:-1] - wide[1:-1, :-2] - wide[1:-1, 2:] - wide[:-2, 1:-1] - wide[2:, 1:-1]) * inv_h2
            points.append(sweep)
            residuals.append(norm(r) / (n - 2))
            errors.append(norm(wide - exact) / norm(exact))
        for colour in (red, ~red):
            new = ((((u[1:-1, :-2] + u[1:-1, 2:]) + u[:-2, 1:-1]) + u[2:, 1:-1]) + h2f) * quarter
            inner = u[1:-1, 1:-1]
            inner[colour[1:-1, 1:-1]] = new[colour[1:-1, 1:-1]]
    return points, residuals, errors


@drawing("floor", height=3.0)
def floor(axes):
    """Residual and error of Gauss-Seidel in float and in double, 33 x 33 points."""
    points, residual, error = history(33, numpy.float32, 2500)
    _, wide, _ = history(33, numpy.float64, 2500)
    axes.plot(points, error, "-.", color=GREEN, linewidth=1.6)
    axes.plot(points, residual, "-", color=BLUE, linewidth=1.6)
    axes.plot(points, wide, "--", color=ORANGE, linewidth=1.6)
    axes.set(yscale="log", ylim=(1e-10, 3), xlim=(0, 2500), xlabel="sweeps", ylabel="relative to the start")
    axes.text(2480, residual[-1] * 1.5, "residual, float", ha="right", va="bottom", color=BLUE, fontsize=8)
    axes.text(2480, error[-1] / 1.5, "error, float", ha="right", va="top", color=GREEN, fontsize=8)
    axes.text(1880, wide[75] / 4, "residual, double", ha="right", va="top", color=ORANGE, fontsize=8)
