#!/usr/bin/env python3
"""surface.py U.npy OUT.png: a grid function as a surface and as a map with contour lines

U.npy holds ny rows of nx values; the rectangle is 1 wide and (ny-1)/(nx-1) high.
"""

import figure  # imported first: it reports a missing numpy or Matplotlib in one line
import numpy
from figure import pyplot

LINES = 64  # the most surface cells per direction: more are indistinguishable


def read(path, rank=2):
    """An array of finite numbers: ny rows of nx values, or with rank 3 frames of them."""
    try:
        u = numpy.load(path, allow_pickle=False)
    except OSError as error:
        figure.die(f"{path}: cannot read: {error.strerror or error}")
    except (ValueError, EOFError):
        figure.die(f"{path}: malformed: expected a .npy file")
    if not isinstance(u, numpy.ndarray) or u.ndim != rank or min(u.shape[-2:]) < 3 or u.size == 0 or u.dtype.kind != "f":
        shape = f"{u.dtype} of shape {u.shape}" if isinstance(u, numpy.ndarray) else "an archive"
        frames = "frames of " if rank == 3 else ""
        figure.die(f"{path}: {shape}: expected floating-point numbers, {frames}at least 3 rows and 3 columns")
    if not numpy.isfinite(u).all():
        figure.die(f"{path}: some values are not finite: expected finite values")
    return u


def draw_surface(axes, x, y, u):
    axes.plot_surface(x, y, u, rcount=LINES, ccount=LINES, cmap="viridis", linewidth=0.15, edgecolor="#33333355")
    axes.set(xlabel="$x$", ylabel="$y$", xlim=(0, x.max()), ylim=(0, y.max()))
    axes.set_box_aspect((1, min(max(y.max() / x.max(), 0.3), 3), 0.6))
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(pyplot.MaxNLocator(4))
    # The last label of x and the first label of y share a corner.
    axes.yaxis.set_major_locator(pyplot.MaxNLocator(4, prune="lower"))
    axes.view_init(elev=28, azim=-58)


def draw_map(axes, x, y, u):
    axes.grid(False)
    mesh = axes.pcolormesh(x, y, u, cmap="viridis", shading="nearest", rasterized=True)
    if u.min() < u.max():
        axes.contour(x, y, u, levels=9, colors="white", linewidths=0.6)
    axes.set(xlabel="$x$ (unit: width of the rectangle)", ylabel="$y$", aspect="equal", xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    return mesh


def main():
    source, target = figure.paths("U.npy")
    u = read(source)
    ny, nx = u.shape
    x, y = numpy.arange(nx) / (nx - 1), numpy.arange(ny) / (nx - 1)
    drawing = pyplot.figure(figsize=(10, 4.2))
    cells = drawing.add_gridspec(1, 2, wspace=0.3, top=0.9)
    draw_surface(drawing.add_subplot(cells[0], projection="3d"), *numpy.meshgrid(x, y), u)
    axes = drawing.add_subplot(cells[1])
    drawing.colorbar(draw_map(axes, x, y, u), ax=axes, shrink=0.9).set_label("$u$", rotation=0)  # upright: no "n"
    drawing.suptitle(f"Grid function $u$ on {nx} × {ny} points, largest value {u.max():.5f}", fontsize=12)
    figure.save(drawing, target)


if __name__ == "__main__":
    main()
