#!/usr/bin/env python3
"""ladder.py LADDER.csv OUT.png: lanes, sectors and speed of each rung of the ladder, from ./kit run"""

import figure
import table
from figure import pyplot

NUMBERS = dict.fromkeys(
    ("n", "active_lanes", "bytes_per_sector", "sectors_per_point", "fraction_of_copy", "speedup"), 0)


def bars(axes, rungs, rows, name, text, colour, title, height=0.62, offset=0.0, label=None, line=0):
    """Puts each label to the right of its bar, and to the right of a line that it would cross."""
    places = [rungs.index(row["rung"]) + offset for row in rows]
    axes.barh(places, [row[name] for row in rows], height, color=colour, label=label)
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    for place, row in zip(places, rows):
        axes.annotate(text(row), (max(row[name], line), place), (4, 0), textcoords="offset points", va="center",
                      fontsize=8, bbox=paper)
    axes.set_axisbelow(True)
    axes.set_title(title, loc="left")
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def speed_label(row):
    speedup = f"  (× {row['speedup']:.1f})" if row["speedup"] is not None else ""
    return f"{row['fraction_of_copy']:.2f}{speedup}"


def draw_speed(axes, rungs, sizes):
    thick = 0.7 / len(sizes)
    for order, (n, rows) in enumerate(sizes.items()):
        bars(axes, rungs, rows, "fraction_of_copy", speed_label, figure.COLOURS[order % len(figure.COLOURS)],
             "fraction of copy bandwidth (speed-up)", thick, (order - (len(sizes) - 1) / 2) * thick,
             f"$N$ = {n:.0f}", line=1)
    axes.axvline(1, color="#333333", linestyle="--", linewidth=1, zorder=0.9)
    axes.set_xlim(0, 1.4 * max(1, *(row["fraction_of_copy"] for rows in sizes.values() for row in rows)))
    if len(sizes) > 1:
        axes.legend(fontsize=8, loc="upper right")


def main():
    source, target = figure.paths("LADDER.csv")
    rows = table.read(source, NUMBERS, ("rung", "clock"), "./kit run", may_lack=("speedup",))
    rungs = list(dict.fromkeys(row["rung"] for row in rows))
    sizes = {}
    for row in rows:
        sizes.setdefault(row["n"], []).append(row)
    first = next(iter(sizes.values()))
    drawing, axes = pyplot.subplots(1, 4, figsize=(11, 0.9 + 0.45 * len(rungs)), sharey=True, width_ratios=(1, 1, 1, 2.2))
    grey = "#8a8a8a"
    bars(axes[0], rungs, first, "active_lanes", lambda row: f"{row['active_lanes']:.2f}", grey, "active lanes")
    bars(axes[1], rungs, first, "bytes_per_sector", lambda row: f"{row['bytes_per_sector']:.1f}", grey,
         "bytes per sector")
    bars(axes[2], rungs, first, "sectors_per_point", lambda row: f"{row['sectors_per_point']:.2f}", grey,
         "sectors per point")
    axes[0].set_xlim(0, 1.3)
    axes[1].set(xlim=(0, 42), xticks=(0, 16, 32))
    axes[2].set_xlim(0, 1.35 * max(row["sectors_per_point"] for row in rows))
    draw_speed(axes[3], rungs, sizes)
    axes[0].set_yticks(range(len(rungs)), [rung.replace("_", " ") for rung in rungs])
    axes[0].invert_yaxis()
    modelled = first[0]["clock"] == "model"
    times = f"times: model, $N$ = {first[0]['n']:.0f}" if modelled else "times: measured"
    drawing.suptitle(f"The ladder: one red-black Gauss–Seidel sweep ({times})")
    drawing.tight_layout()
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
