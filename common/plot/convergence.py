#!/usr/bin/env python3
"""convergence.py HISTORY.csv OUT.png: relative residuals against iterations, one line for each method.

HISTORY.csv has the columns method, iteration, relative_residual, as `masked_redblack solve --csv` writes them. A
horizontal line at the largest of the last residuals crosses every history, and labels say how many iterations each
method needs to get there.
"""

import figure
import table
from figure import pyplot


def read(path):
    """{method: [(iteration, relative_residual), ...]} in the file's order."""
    histories = {}
    for row in table.read(path, {"iteration": 0, "relative_residual": 0}, ("method",), "masked_redblack solve --csv"):
        histories.setdefault(row["method"], []).append((row["iteration"], row["relative_residual"]))
    return histories


def reached(history, level):
    """First iteration at which the residual is at most level; the last point of a history may be above it."""
    return next((iteration for iteration, residual in history if residual <= level), None)


def main():
    source, target = figure.paths("HISTORY.csv")
    histories = read(source)
    level = max(history[-1][1] for history in histories.values())
    drawing, axes = pyplot.subplots(figsize=(6.4, 4.2))
    for order, (method, history) in enumerate(histories.items()):
        at = reached(history, level)
        colour = figure.COLOURS[order % len(figure.COLOURS)]
        style = ("-", "--", ":")[order // len(figure.COLOURS) % 3]
        axes.plot(*zip(*history), style, color=colour, label=f"{method}: {at:.0f} iterations to {level:.1e}")
        axes.plot([at], [level], "o", markersize=4, color=colour)
    if level > 0:
        axes.axhline(level, color="#999999", linewidth=0.8, linestyle="--")
    axes.set(xlabel="iterations", ylabel="relative residual", yscale="log", title="Convergence to the same residual")
    axes.set_xlim(left=0)
    ends = [history[-1][0] for history in histories.values()]
    if max(ends) > 50 * max(min(ends), 1):
        axes.set_xscale("symlog", linthresh=10)  # linear up to 10: iteration 0 has no logarithm
    drawing.tight_layout()
    # Beside so many lines no corner is free.
    axes.legend(**({"loc": "upper left", "bbox_to_anchor": (1, 1)} if len(histories) > 3 else {}))
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
