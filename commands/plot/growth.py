#!/usr/bin/env python3
"""growth.py GROWTH.csv OUT.png: sweeps or iterations against n, and their slopes

`study --of growth --csv` of lab 05 or 06 writes GROWTH.csv. Both axes are logarithmic: n to the power p is a line of slope
p. The slope comes from the last two sizes.
"""

import math

import figure
import table
from figure import pyplot
from matplotlib import ticker

NAMES = {"gs": "Gauss–Seidel", "sor": "SOR, optimal ω"}


def read(path):
    """Returns {method: [(n, sweeps), ...]} by ascending n."""
    series = {}
    for row in table.read(path, {"n": 1, "sweeps": 1}, ("method",), "sor_omega study --of growth --csv"):
        series.setdefault(row["method"], []).append((row["n"], row["sweeps"]))
    return {method: sorted(points) for method, points in series.items()}


def label(method, points):
    name = NAMES.get(method, method)
    if len(points) < 2 or points[-1][0] == points[-2][0]:
        return name
    (n0, m0), (n1, m1) = points[-2:]
    return f"{name}: $n^{{{math.log(m1 / m0) / math.log(n1 / n0):.2f}}}$"


def main():
    source, target = figure.paths("GROWTH.csv")
    series = read(source)
    drawing, axes = pyplot.subplots(figsize=(6.4, 4.2))
    for order, (method, points) in enumerate(series.items()):  # curves may coincide: larger markers lie below
        axes.plot(*zip(*points), markersize=3.5 + 0.9 * (len(series) - order), label=label(method, points), **figure.look(order))
    sizes = sorted({n for points in series.values() for n, _ in points})
    axes.set(xscale="log", yscale="log", xlabel="$n$ (interior points per row)", ylabel="sweeps or iterations",
             title="Sweeps or iterations to the same relative residual")
    axes.set_xticks(sizes, [f"{n:.0f}" for n in sizes])
    axes.set_xticks([], minor=True)
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%.0f"))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.legend()
    drawing.tight_layout()
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
