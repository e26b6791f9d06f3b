#!/usr/bin/env python3
"""animation.py OUT.gif [NAME=]FRAMES.npy...: grid functions over the sweeps, one panel for each file

FRAMES.npy holds frames of ny rows of nx values, as `./kit lab 05 frames` writes them. All panels have the same colours. A
panel whose frames end early keeps its last one.
"""

import os
import sys

import figure  # imported first: it reports a missing numpy or Matplotlib in one line
import numpy
import surface
from figure import pyplot
from matplotlib import animation

FRAMES_PER_SECOND = 8
COLUMNS = 4  # the most panels in a row


def panel_of(argument):
    """(name, frames) of [NAME=]FRAMES.npy."""
    name, _, path = argument.rpartition("=")
    return name or os.path.splitext(os.path.basename(path))[0], surface.read(path, 3)


def scale(panels):
    """The colour map and its limits: symmetric about 0 if there are values of both signs."""
    least, most = min(u.min() for _, u in panels), max(u.max() for _, u in panels)
    if least < 0 < most:
        return "coolwarm", -max(-least, most), max(-least, most)
    return "viridis", least, most if most > least else least + 1


def draw(panels):
    """The figure, and the function that shows frame n."""
    colours, least, most = scale(panels)
    columns = min(len(panels), COLUMNS)
    rows = -(-len(panels) // columns)
    drawing, axes = pyplot.subplots(rows, columns, squeeze=False, figsize=(2.2 * columns + 0.7, 2.4 * rows + 0.3), dpi=80,
                                    layout="constrained")
    images = []
    for part in axes.flat[len(panels):]:
        part.axis("off")
    for part, (name, u) in zip(axes.flat, panels):
        part.grid(False)
        part.set(xticks=[], yticks=[])
        part.set_title(name, fontsize=10)
        images.append(part.imshow(u[0], cmap=colours, vmin=least, vmax=most, origin="lower", interpolation="nearest"))
    drawing.colorbar(images[0], ax=axes, shrink=0.8)
    count = max(len(u) for _, u in panels)

    def show(n):
        for image, (_, u) in zip(images, panels):
            image.set_data(u[min(n, len(u) - 1)])
        drawing.suptitle(f"frame {n} of {count - 1}", fontsize=10)
        return images

    return drawing, show, count


def save(panels, path):
    if not path.endswith(".gif"):
        figure.die(f"{path}: expected a name that ends in .gif")
    drawing, show, count = draw(panels)
    movie = animation.FuncAnimation(drawing, show, frames=count, init_func=lambda: [])
    figure.write(path, ".gif", lambda name: movie.save(name, writer=animation.PillowWriter(fps=FRAMES_PER_SECOND)))


def main():
    if len(sys.argv) < 3:
        figure.die("expected arguments: OUT.gif [NAME=]FRAMES.npy...")
    save([panel_of(argument) for argument in sys.argv[2:]], sys.argv[1])


if __name__ == "__main__":
    main()
