"""The frame of the figures in labs/*/figures: their style, their registry and the stamp that shows whether they are current."""

import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "commands", "plot"))

import figure  # noqa: E402  (in commands/plot: palette and basic style)
import table  # noqa: E402
from figure import COLOURS, LINES, MARKERS, pyplot  # noqa: E402,F401  (the scripts of the labs import them from here)

# Readable in grey: series also differ in line style and marker, areas also differ in hatching and label.
HATCHES = ["", "///", "...", "xxx", "\\\\\\", "+++"]
INK, PAPER, PALE = "#222222", "#ffffff", "#e8e8e8"

pyplot.rcParams.update({
    "svg.fonttype": "none",  # text stays text: it is searchable and small
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.prop_cycle": pyplot.cycler(color=COLOURS) + pyplot.cycler(linestyle=LINES),
})

drawings = {}  # name of the figure -> the function that draws it


def drawing(name, width=6.5, height=3.0):
    """Registers a function that draws the figure on empty axes; width and height are in inches."""
    def register(draw):
        drawings[name] = (draw, width, height)
        return draw
    return register


def bare(axes, x=None, y=None, equal=True):
    """Makes axes a plain sheet for a diagram: no ticks, frame or grid, limits x and y."""
    axes.axis("off")
    axes.grid(False)
    if x:
        axes.set_xlim(*x)
    if y:
        axes.set_ylim(*y)
    if equal:
        axes.set_aspect("equal")


def cell(axes, x, y, text="", colour=PAPER, width=1.0, height=1.0, size=8, ink=INK, hatch="", edge="#555555"):
    """A box with its lower left corner at (x, y), for example a point of a grid, a word or a lane."""
    axes.add_patch(pyplot.Rectangle((x, y), width, height, facecolor=colour, edgecolor=edge, linewidth=0.7, hatch=hatch))
    if text != "":
        axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", fontsize=size, color=ink)


def arrow(axes, start, end, colour=INK, style="-|>", width=1.0, curve=0.0):
    axes.annotate("", end, start, arrowprops={"arrowstyle": style, "color": colour, "linewidth": width,
                                              "shrinkA": 0, "shrinkB": 0, "connectionstyle": f"arc3,rad={curve}"})


def rows(path, **keys):
    """The rows of a CSV file of the kit whose columns have these values."""
    found = table.rows(os.path.join(ROOT, path), keys, "the kit")
    return [row for _, row in found if all(row[key] == value for key, value in keys.items())]


def stamp(script):
    """A checksum of all that a figure depends on: the style, the script and the data files that the script names."""
    total = hashlib.sha256()
    text = open(script, encoding="utf-8").read()
    data = re.findall(r'"([a-z0-9_/]+\.csv)"', text)
    for path in [os.path.join(HERE, "drawing.py"), figure.__file__, script, *(os.path.join(ROOT, name) for name in data)]:
        with open(path, "rb") as file:
            total.update(file.read())
    return total.hexdigest()[:16]


def join_paths(path):
    """Puts each path of the file on one line: Matplotlib writes each of its points on a line of its own."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r" ?\n(?=[MLQCz](?: |\n|\"))", " ", text))


def save(name, folder, script):
    """Draws one figure and writes it as FOLDER/NAME.svg, byte for byte the same with the same Matplotlib."""
    draw, width, height = drawings[name]
    path = os.path.join(folder, f"{name}.svg")
    with pyplot.rc_context({"svg.hashsalt": name}):  # a figure's own settings end with it
        sheet, axes = pyplot.subplots(figsize=(width, height))
        draw(axes)
        metadata = {"Date": None, "Creator": f"./kit figures, Matplotlib {pyplot.matplotlib.__version__}",
                    "Source": f"{os.path.relpath(script, ROOT)} {stamp(script)}"}

        def write(temporary):
            sheet.savefig(temporary, bbox_inches="tight", metadata=metadata)
            join_paths(temporary)

        figure.write(path, ".svg", write)
        pyplot.close(sheet)
    return path
