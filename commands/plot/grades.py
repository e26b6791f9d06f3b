#!/usr/bin/env python3
"""grades.py SUMMARY.csv OUT.png: distribution of a class's points, in total and by lab, and its verdicts"""

import statistics

import figure
import table
from figure import pyplot

BINS = 10
COLUMNS = 3  # panels of labs per row
# A verdict has the same colour everywhere: full marks, errors, no grade. WRONG is any loss of points.
SHADES = {"PASS": figure.COLOURS[2], "WRONG": figure.COLOURS[4], "INFRA": "#8a8a8a", "MISSING": "#c8c8c8"}
TEXTS = ("submission", "sha256", "verdict", "reason")


def read(path):
    """Returns the rows and the names of the labs."""
    fixed = {"points": 0, "max_points": 0}
    rows = table.read(path, fixed, TEXTS, "grade --class", ("points",), 0)
    labs = [name for name in rows[0] if name not in (*fixed, *TEXTS, "bonus")]
    return rows, labs


def is_missing(row, lab=None):
    """True if the submission had nothing to grade: its 0 points say nothing about a program."""
    return row["verdict"] == "MISSING" or (lab is not None and f"; {lab}: " in f"; {row['reason']}")


def histogram(axes, points, most, title, colour, missing=0):
    """Draws bins of a tenth; full marks and more belong to the last bin. Missing submissions have a separate bar before 0 points."""
    counts = [0] * BINS
    for value in points:
        counts[min(int(BINS * value / most), BINS - 1) if most > 0 else 0] += 1
    width = most / BINS if most > 0 else 1
    axes.bar([(n + 0.5) * width for n in range(BINS)], counts, 0.9 * width, color=colour)
    axes.set_axisbelow(True)
    axes.grid(axis="x", visible=False)
    axes.set_title(title, loc="left")
    axes.set(xlim=(0, BINS * width), ylim=(0, 1.25 * max(1, missing, *counts)),
             xticks=[2 * n * width for n in range(BINS // 2 + 1)])
    if missing:
        axes.bar([-width], [missing], 0.9 * width, color=SHADES["MISSING"])
        axes.set_xlim(-1.6 * width, BINS * width)
        axes.annotate("missing", (-width, 0), xytext=(0, 5), textcoords="offset points", rotation=90, fontsize=8, ha="center",
                      va="bottom")
    axes.yaxis.get_major_locator().set_params(integer=True, nbins=5)
    if points:
        median = statistics.median(points)
        middle = min(median, BINS * width)
        axes.axvline(middle, color="#333333", linestyle="--", linewidth=1)
        left = middle > 0.6 * BINS * width
        axes.annotate(f"median {median:.4g}", (middle, 1), xycoords=("data", "axes fraction"), fontsize=8,
                      xytext=(-4 if left else 4, -2), textcoords="offset points", va="top", ha="right" if left else "left",
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})


def verdicts(axes, rows):
    names = [row["verdict"] for row in rows]
    kinds = sorted(set(names), key=lambda name: (name == "INFRA", name != "PASS", -names.count(name), name))
    drawn = axes.barh(kinds, [names.count(name) for name in kinds], 0.62,
                      color=[SHADES.get(name, figure.COLOURS[1]) for name in kinds])
    axes.bar_label(drawn, padding=4, fontsize=9)
    axes.set_title("verdicts", loc="left")
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.grid(visible=False)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def lab_most(rows, lab, part):
    """The table does not contain a lab's full points: assume an equal part, unless a submission without bonus has more."""
    return max([part, *(row[lab] for row in rows if row[lab] is not None and not row.get("bonus"))])


def draw(rows, labs):
    single = len(labs) < 2
    lines = 0 if single else -(-len(labs) // COLUMNS)
    drawing = pyplot.figure(figsize=(10, 3.2 + 2.1 * lines))
    grid = drawing.add_gridspec(1 + lines, COLUMNS, height_ratios=(1.35, *(1,) * lines))
    graded = [row for row in rows if row["points"] is not None]
    most = max(row["max_points"] for row in rows)
    total = drawing.add_subplot(grid[0, :2])
    handed_in = [row for row in graded if not is_missing(row, labs[0] if single and labs else None)]
    histogram(total, [row["points"] for row in handed_in], most, "points" if single else "total points",
              figure.COLOURS[0], len(graded) - len(handed_in))
    total.set(xlabel=f"points (maximum {most:.4g})", ylabel="submissions")
    verdicts(drawing.add_subplot(grid[0, 2]), rows)
    panels = []
    for place, lab in enumerate(labs if not single else ()):
        axes = drawing.add_subplot(grid[1 + place // COLUMNS, place % COLUMNS])
        known = [row for row in graded if row[lab] is not None]
        points = [row[lab] for row in known if not is_missing(row, lab)]
        histogram(axes, points, lab_most(rows, lab, most / len(labs)), lab.replace("_", " "), figure.COLOURS[5],
                  len(known) - len(points))
        axes.set_ylabel("" if place % COLUMNS else "submissions")
        panels.append(axes)
    for axes in panels:  # one scale for all labs
        axes.set_ylim(0, max(axes.get_ylim()[1] for axes in panels))
    lost = len(rows) - len(graded)
    absent = len(graded) - len(handed_in)
    drawing.suptitle(f"{len(rows)} submissions" + (f", {lost} of them not graded" if lost else "")
                     + (f", {absent} missing (not in the medians)" if absent else ""))
    drawing.tight_layout()
    return drawing


def main():
    source, target = figure.paths("SUMMARY.csv")
    figure.save(draw(*read(source)), target)


if __name__ == "__main__":
    main()
