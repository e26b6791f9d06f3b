#!/usr/bin/env python3
"""timing.py TABLE.csv OUT.png: times of lab 01's kernels, alone and with transfers, from `stencil table --csv`"""

import figure
import table
from figure import pyplot


def read(path):
    """Returns {variant: [(n, kernel_ms, transfers_ms or None), ...]} in the file's order."""
    series = {}
    numbers = {"n": 1, "kernel_ms": 0, "transfers_ms": 0}
    for row in table.read(path, numbers, ("variant",), "stencil table --csv", may_lack=("transfers_ms",)):
        series.setdefault(row["variant"], []).append((row["n"], row["kernel_ms"], row["transfers_ms"]))
    return series


def draw(axes, series, place, title):
    for order, (variant, rows) in enumerate(series.items()):
        points = [(row[0], row[place]) for row in rows if row[place] is not None]
        if points:
            axes.plot(*zip(*points), markersize=4, label=variant, **figure.look(order))
    axes.set(title=title, xlabel="$N$ (grid of $N × N$ points)", ylabel="time (ms)", xticks=sizes(series))
    if "cpu" in series and place == 1:
        axes.set_yscale("log")  # the host takes a hundred times as long
    else:
        axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))  # beside the curves, which may be anywhere


def sizes(series):
    return sorted({row[0] for rows in series.values() for row in rows})


def main():
    source, target = figure.paths("TABLE.csv")
    series = read(source)
    drawing, (left, right) = pyplot.subplots(1, 2, figsize=(11, 3.8))
    draw(left, series, 1, "kernel alone")
    draw(right, series, 2, "with allocation and transfers (host clock)")
    drawing.suptitle("One application of the 5-point operator, float")
    drawing.tight_layout()
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
