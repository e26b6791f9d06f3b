"""The figures of labs/02_masked_redblack/THEORY.md."""

from drawing import COLOURS, PALE, arrow, bare, cell, drawing


@drawing("mask_timeline", height=2.6)
def mask_timeline(axes):
    """Eight lanes of a warp (columns) while the warp runs a branch (rows, time downwards)."""
    steps = [("all lanes compute the colour", "11111111"), ("red lanes read and update u", "10101010"),
             ("black lanes have nothing to do", "01010101"), ("all lanes continue", "11111111")]
    bare(axes, (-0.2, 17), (-0.4, 5.2))
    for lane in range(8):
        axes.text(lane + 0.5, 4.35, f"{lane}", ha="center", fontsize=8)
    axes.text(-0.1, 4.9, "lane", fontsize=8)
    for row, (text, mask) in enumerate(steps):
        for lane, active in enumerate(mask):
            cell(axes, lane, 3 - row, "run" if active == "1" else "", COLOURS[5] if active == "1" else PALE, size=6,
                 height=0.86, hatch="" if active == "1" else "///")
        axes.text(8.3, 3.4 - row, text, va="center", fontsize=8)
    arrow(axes, (16.6, 4), (16.6, 0))
    axes.text(16.3, 4.3, "time", fontsize=8, ha="center")
