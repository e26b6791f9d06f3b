#!/usr/bin/env python3
"""timing.py TABLE.csv OUT.png: what `stencil table --csv` measured, the kernel alone beside all with transfers."""

import csv

import figure
from figure import pyplot

COLUMNS = ("n", "variant", "kernel_ms", "transfers_ms")


def number(path, line, row, name):
    try:
        return float(row[name]) if row[name] else None
    except ValueError:
        figure.die(f"{path}:{line}: {name} = '{row[name]}': expected a number")


def read(path):
    """{variant: [(n, kernel_ms, transfers_ms or None), ...]} in the file's order."""
    series = {}
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, restval="")
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or [])]
            if missing:
                figure.die(f"{path}: no column '{missing[0]}': expected what stencil table --csv writes")
            for row in reader:
                values = tuple(number(path, reader.line_num, row, name) for name in COLUMNS if name != "variant")
                series.setdefault(row["variant"], []).append(values)
    except OSError as error:
        figure.die(f"{path}: cannot read: {error.strerror}")
    except (UnicodeDecodeError, csv.Error):
        figure.die(f"{path}: malformed: expected what stencil table --csv writes")
    if not series:
        figure.die(f"{path}: no rows: expected at least one")
    return series


def draw(axes, series, place, title):
    for order, (variant, rows) in enumerate(series.items()):
        points = [(row[0], row[place]) for row in rows if row[place] is not None]
        if points:
            dashes = "--" if variant == "copy" else "-"
            axes.plot(*zip(*points), dashes, marker="o", markersize=4, color=figure.COLOURS[order], label=variant)
    axes.set(title=title, xlabel="$N$ (grid of $N × N$ points)", ylabel="time (ms)", xticks=sizes(series))
    axes.set_ylim(bottom=0)
    axes.legend()


def sizes(series):
    return sorted({row[0] for rows in series.values() for row in rows})


def main():
    source, target = figure.paths("TABLE.csv")
    series = read(source)
    drawing, (left, right) = pyplot.subplots(1, 2, figsize=(10, 3.8))
    draw(left, series, 1, "kernel alone")
    draw(right, series, 2, "with allocation and transfers")
    drawing.suptitle("One application of the 5-point operator, float")
    drawing.tight_layout()
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
