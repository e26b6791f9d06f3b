#!/usr/bin/env python3
"""omega.py OMEGAS.csv OUT.png: contraction per sweep and number of sweeps against the relaxation factor omega

`sor_omega study --of omegas --csv` writes OMEGAS.csv. The line is Young's theory, with its cusp at the optimal omega; the
points are measured.
"""

import figure
import table
from figure import pyplot

NUMBERS = {"omega": 0, "optimal": 0, "sweeps": -1, "contraction": 0, "theory": 0}


def draw_contraction(axes, rows, best):
    omegas = [row["omega"] for row in rows]
    axes.plot(omegas, [row["theory"] for row in rows], color=figure.COLOURS[0], label="theory")
    axes.plot(omegas, [row["contraction"] for row in rows], "o", markersize=3.5, color=figure.COLOURS[1], label="measured")
    axes.set(title="contraction of the residual per sweep", xlabel=r"$\omega$")
    mark_best(axes, best)
    axes.legend()


def draw_sweeps(axes, rows, best):
    reached = [(row["omega"], row["sweeps"]) for row in rows if row["sweeps"] >= 0]
    if reached:
        axes.plot(*zip(*reached), "o-", markersize=3.5, color=figure.COLOURS[1])
    axes.set(title="sweeps to the tolerance", xlabel=r"$\omega$")
    axes.set_ylim(bottom=0)
    mark_best(axes, best)


def mark_best(axes, best):
    for row in best:
        axes.axvline(row["omega"], color="#999999", linewidth=0.8, linestyle="--")


def main():
    source, target = figure.paths("OMEGAS.csv")
    rows = sorted(table.read(source, NUMBERS, (), "sor_omega study --of omegas --csv"), key=lambda row: row["omega"])
    best = [row for row in rows if row["optimal"] == 1]
    drawing, (left, right) = pyplot.subplots(1, 2, figsize=(10, 3.8))
    draw_contraction(left, rows, best)
    draw_sweeps(right, rows, best)
    note = ", ".join(f"{row['omega']:.4f}" for row in best)
    drawing.suptitle("Successive over-relaxation" + (rf", optimal $\omega$ = {note} (dashed)" if note else ""))
    drawing.tight_layout()
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
