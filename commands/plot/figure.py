"""Shared by the plot scripts: the style of the figures, one-line errors, complete or absent output files."""

import os
import sys


def die(message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(2)


try:
    import matplotlib
    import numpy  # noqa: F401  (some of the scripts need it)
except ImportError as error:
    die(f"{sys.executable} has no {error.name}: ./kit doctor names a Python that has it")

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend must be chosen first)

# Okabe and Ito's palette: people with colour vision deficiencies can distinguish it, too.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]

LINES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2))]
MARKERS = ["o", "s", "^", "D", "v", "P", "<", ">", "p", "X"]


def look(order):
    """Colour, line style and marker of a curve. They differ between the first 36 curves, even on grey paper."""
    turns = order // len(COLOURS)
    return {"color": COLOURS[order % len(COLOURS)], "linestyle": LINES[(order + turns) % len(LINES)], "marker": MARKERS[order % len(MARKERS)],
            "markerfacecolor": "white"}


pyplot.rcParams.update({
    "figure.dpi": 150,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "legend.frameon": False,
})


def paths(input_name, output_name="OUT.png"):
    """Returns the two arguments that every script takes."""
    if len(sys.argv) != 3:
        die(f"expected two arguments: {input_name} {output_name}")
    return sys.argv[1], sys.argv[2]


def save(figure, path, **options):
    suffix = os.path.splitext(path)[1]
    if suffix not in (".png", ".pdf", ".svg"):
        die(f"{path}: expected a name that ends in .png, .pdf or .svg")
    write(path, suffix, lambda name: figure.savefig(name, bbox_inches="tight", **options))


def write(path, suffix, writes):
    """Calls writes(NAME), then moves that file to the path, which is complete or absent."""
    temporary = os.path.join(os.path.dirname(path), f".{os.getpid()}{suffix}")
    try:
        writes(temporary)
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.remove(temporary)
        die(f"{path}: cannot write: {error.strerror}")
