#!/usr/bin/env python3
"""convergence.py HISTORY.csv OUT.png [TOLERANCE]: relative residual against iterations, one line for each method

HISTORY.csv has the columns method, iteration, relative_residual, as `masked_redblack solve --csv` writes them. Labels
give the number of iterations after which each method first meets the tolerance. The default tolerance is the largest of
the final residuals, which every history meets.
"""

import sys

import figure
import table
from figure import pyplot


def read(path):
    """Returns {method: [(iteration, relative_residual), ...]} in the file's order."""
    histories = {}
    for row in table.read(path, {"iteration": 0, "relative_residual": 0}, ("method",), "masked_redblack solve --csv"):
        histories.setdefault(row["method"], []).append((row["iteration"], row["relative_residual"]))
    return histories


def reached(history, level):
    """Returns the first iteration at which the residual is at most level, or None."""
    return next((iteration for iteration, residual in history if residual <= level), None)


def tolerance_argument():
    """Removes the third argument and returns it, or None if there is none."""
    if len(sys.argv) != 4:
        return None
    text = sys.argv.pop()
    try:
        if 0 < float(text) < 1:
            return float(text)
    except ValueError:
        pass
    return figure.die(f"tolerance '{text}': expected a number above 0 and below 1")


def said(method, at, level):
    return f"{method}: {at:.0f} iterations to {level:.1e}" if at is not None else f"{method}: above {level:.1e}"


def draw(axes, order, method, history, level):
    """Curves may coincide, so each has its markers at different places."""
    at = reached(history, level)
    look = figure.look(order)
    axes.plot(*zip(*history), label=said(method, at, level), markersize=4, markevery=(0.02 + 0.011 * order, 0.12), **look)
    if at is not None:
        axes.plot([at], [dict(history)[at]], look["marker"], markersize=5, color=look["color"])


def main():
    given = tolerance_argument()
    source, target = figure.paths("HISTORY.csv")
    histories = read(source)
    level = given or max(history[-1][1] for history in histories.values())
    drawing, axes = pyplot.subplots(figsize=(6.4, 4.2))
    for order, (method, history) in enumerate(histories.items()):
        draw(axes, order, method, history, level)
    if level > 0:
        axes.axhline(level, color="#999999", linewidth=0.8, linestyle="--")
    axes.set(xlabel="iterations", ylabel="relative residual", yscale="log", title="Convergence to the same residual")
    axes.set_xlim(left=0)
    ends = [history[-1][0] for history in histories.values()]
    if max(ends) > 50 * max(min(ends), 1):
        axes.set_xscale("symlog", linthresh=10)  # linear up to 10: iteration 0 has no logarithm
    drawing.tight_layout()
    # With more than three lines no corner is free.
    axes.legend(**({"loc": "upper left", "bbox_to_anchor": (1, 1)} if len(histories) > 3 else {}))
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
