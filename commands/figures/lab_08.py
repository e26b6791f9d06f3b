"""The figure of labs/08_several_gpus/README.md and THEORY.md."""

from drawing import COLOURS, INK, PALE, PAPER, arrow, bare, cell, drawing

HALO, BORDER, INNER = PALE, COLOURS[5], PAPER


def part(axes, x, gpu, rows, first, last):
    """The rows of a part from top to bottom; first and last: it begins or ends at the boundary of the grid."""
    axes.text(x + 1.1, 6.5, f"GPU {gpu}", ha="center", fontsize=8.5)
    for r in range(rows + 2):
        halo, border = r in (0, rows + 1), r in (1, rows)
        boundary = (first and r == 0) or (last and r == rows + 1)
        text = "boundary" if boundary else "halo" if halo else "border row" if border else "inner row"
        cell(axes, x, 5.5 - 0.8 * r, text, HALO if halo else BORDER if border else INNER, 2.2, 0.8, size=5.6, hatch="///" if boundary else "")


@drawing("exchange", height=3.3)
def exchange(axes):
    """Parts with their halo rows, and the streams of a GPU in two half-sweeps."""
    bare(axes, (-0.3, 23.2), (-0.6, 7.2), equal=False)
    for gpu, x in enumerate((0.0, 3.5, 7.0)):
        part(axes, x, gpu, 4, gpu == 0, gpu == 2)
    for x in (2.2, 5.7):  # between rows 4 and 5 on the left, rows 0 and 1 on the right
        arrow(axes, (x, 5.5 - 0.8 * 4 + 0.4), (x + 1.3, 5.5 + 0.4), INK, width=0.9, curve=-0.1)
        arrow(axes, (x + 1.3, 5.5 - 0.8 + 0.4), (x, 5.5 - 0.8 * 5 + 0.4), INK, width=0.9, curve=-0.1)
    axes.text(11.2, 6.5, "GPU 1 over time", fontsize=8.5)
    axes.text(11.2, 5.65, "stream border", fontsize=7.5)
    axes.text(11.2, 2.25, "stream\ninner", fontsize=7.5)
    for colour, x in (("red", 11.2), ("black", 17.2)):
        cell(axes, x, 4.5, f"{colour}\nborder", BORDER, 1.7, 1.0, size=7)
        cell(axes, x + 1.7, 4.5, "send,\nreceive", HALO, 2.3, 1.0, size=7)
        cell(axes, x + 1.7, 2.0, f"{colour} inner rows", INNER, 3.7, 1.0, size=6.3)
        arrow(axes, (x + 1.7, 4.5), (x + 1.7, 3.05), INK, width=0.9)
    arrow(axes, (16.6, 3.0), (17.2, 4.5), INK, width=0.9)
    arrow(axes, (15.2, 5.0), (17.2, 5.0), INK, width=0.9)
    axes.text(13.1, 3.45, "border_done", fontsize=7)
    axes.text(16.75, 3.95, "inner_done", ha="right", fontsize=7)
    axes.text(15.7, 5.2, "sent", fontsize=7)
    arrow(axes, (11.2, 0.9), (23.0, 0.9), INK, width=0.8)
    axes.text(23.0, 0.3, "time", ha="right", fontsize=7.5)
