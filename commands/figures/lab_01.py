"""The figures of labs/01_stencil/THEORY.md."""

from drawing import COLOURS, INK, MARKERS, PALE, PAPER, arrow, bare, cell, drawing, rows
from figure import pyplot

BLUE, ORANGE, GREEN, SKY = COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[5]


def frame(axes, x, y, width, height, colour=INK, line="-", thick=1.2):
    axes.add_patch(pyplot.Rectangle((x, y), width, height, fill=False, edgecolor=colour, linestyle=line, linewidth=thick))


@drawing("launch", height=2.7)
def launch(axes):
    """A grid of 33 x 18 points, covered by 2 x 3 blocks of 32 x 8 threads; one warp enlarged below."""
    bare(axes, (-9, 78), (-15.5, 26))
    for block_i in range(3):
        for block_j in range(2):
            x, y = 32 * block_j, 16 - 8 * block_i
            axes.add_patch(pyplot.Rectangle((x, y), 32, 8, facecolor=PAPER, edgecolor="#888888", hatch="////", linewidth=0))
            width, height = min(32, 33 - 32 * block_j), min(8, 18 - 8 * block_i)
            axes.add_patch(pyplot.Rectangle((x, y + 8 - height), width, height, facecolor=SKY, linewidth=0))
    for block_i in range(3):
        for block_j in range(2):
            x, y = 32 * block_j, 16 - 8 * block_i
            frame(axes, x, y, 32, 8)
            axes.text(x + 16, y + 4, f"block ({block_j}, {block_i})", ha="center", va="center", fontsize=8,
                      bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5})
    axes.add_patch(pyplot.Rectangle((0, 21), 32, 1, facecolor=ORANGE, linewidth=0))
    axes.text(-1, 20, "rows,\ny, i", ha="right", va="center", fontsize=8)
    axes.text(32, 24.8, "columns, x, j", ha="center", va="bottom", fontsize=8)
    axes.text(66, 20, "points: 33 × 18", fontsize=8, va="center", color=BLUE)
    axes.text(66, 4, "hatched: threads\nwithout a point", fontsize=8, va="center")
    for lane, text in ((0, "0"), (1, "1"), (2, "2"), (3, "3"), (4, "…"), (5, "29"), (6, "30"), (7, "31")):
        cell(axes, 5 * lane, -11, text, ORANGE, width=5, height=5)
    axes.text(-1, -8.5, "lane", ha="right", va="center", fontsize=8)
    axes.text(41.5, -8.5, "a warp: threads (0 … 31, 2) of block (0, 0)\nhave row 2, columns 0 … 31", fontsize=8, va="center")
    arrow(axes, (0, 21), (0, -6), ORANGE, "-", 0.8)
    arrow(axes, (32, 21), (40, -6), ORANGE, "-", 0.8)


@drawing("hierarchy", height=2.7)
def hierarchy(axes):
    """Memories of an H200 from the thread outwards."""
    levels = [("registers", "one thread", "256 KiB per SM", "≈ 0 clocks"),
              ("shared memory; L1", "a block; an SM", "256 KiB per SM", "29; 40 clocks"),
              ("L2 cache", "all SMs", "50 MB", "283 clocks"),
              ("device memory", "all SMs", "141 GB", "661 clocks"),
              ("host memory", "the host", "up to some TB", "≈ 10 µs, a transfer")]
    rates = ["", "128 bytes per clock and SM", "5.5 to 7 TB/s", "4.25 TB/s, measured copy", "19 to 55 GB/s"]
    bare(axes, (-1, 104), (0, 58), equal=False)
    for x, text in ((21, "memory"), (51, "visible to"), (71, "size"), (92, "latency, idle")):
        axes.text(x, 56, text, ha="center", va="center", fontsize=8.5, weight="bold")
    for place, (name, seen, size, latency) in enumerate(levels):
        y, indent = 45 - 11 * place, 10 - 2.5 * place
        axes.add_patch(pyplot.Rectangle((indent, y), 42 - 2 * indent, 7.5, facecolor=[SKY, SKY, "#bfe0f3", PALE, PAPER][place],
                                        edgecolor=INK, linewidth=0.8))
        axes.text(21, y + 3.75, name, ha="center", va="center", fontsize=8)
        for x, text in ((51, seen), (71, size), (92, latency)):
            axes.text(x, y + 3.75, text, ha="center", va="center", fontsize=8)
        if rates[place]:
            arrow(axes, (21, y + 7.5), (21, y + 11), style="<|-|>", width=0.8)
            axes.text(23, y + 9.25, rates[place], va="center", fontsize=8, color=BLUE)


def sectors_row(axes, y, used, first, title, count):
    """One request: sectors as outlined groups of eight words; used words are filled."""
    axes.text(0, y + 1.75, title, fontsize=8, va="bottom")
    for word in range(8 * count):
        if word // 8 in {u // 8 for u in used}:
            cell(axes, word, y, "", BLUE if word in used else PAPER, height=1.2, hatch="" if word in used else "///",
                 edge="#999999")
        else:
            cell(axes, word, y, "", PAPER, height=1.2, edge="#dddddd")
    for sector in range(count):
        frame(axes, 8 * sector, y, 8, 1.2, thick=1.3)
    axes.text(8 * count + 0.7, y + 0.6, first, fontsize=8, va="center")


@drawing("sectors", height=2.5)
def sectors(axes):
    """The sectors of three requests of a warp."""
    bare(axes, (-0.3, 58), (-1.2, 14.6))
    sectors_row(axes, 11, set(range(32)), "4 sectors,\n32 of 32 bytes each", "u[k], and k starts a sector", 5)
    sectors_row(axes, 7, set(range(1, 33)), "5 sectors,\n25.6 of 32 bytes each", "u[k + 1]: the eastern neighbours", 5)
    axes.text(0, 4.75, "32 points of a column: each lane has its own sector", fontsize=8, va="bottom")
    for place, text in enumerate(("lane 0", "lane 1", "…", "lane 31")):
        x = 10.4 * place
        if text == "…":
            axes.text(x + 4, 3.6, "…", ha="center", va="center", fontsize=10)
            continue
        for word in range(8):
            cell(axes, x + word, 3, "", BLUE if word == 3 else PAPER, height=1.2, hatch="" if word == 3 else "///",
                 edge="#999999")
        frame(axes, x, 3, 8, 1.2, thick=1.3)
        axes.text(x + 4, 2.6, text, ha="center", va="top", fontsize=8)
    axes.text(40.7, 3.6, "32 sectors,\n4 of 32 bytes each", fontsize=8, va="center", ha="left")
    cell(axes, 0, -0.9, "", BLUE)
    axes.text(1.5, -0.4, "a word that a lane requests", fontsize=8, va="center")
    cell(axes, 27, -0.9, "", PAPER, hatch="///", edge="#999999")
    axes.text(28.5, -0.4, "a word that moves with it", fontsize=8, va="center")


def banks_row(axes, y, stride, title):
    uses = [0] * 32
    for lane in range(32):
        uses[lane * stride % 32] += 1
    axes.text(-0.6, y + 0.5, title, ha="right", va="center", fontsize=8)
    for bank, count in enumerate(uses):
        colour = PAPER if count == 0 else SKY if count == 1 else COLOURS[4] if count == 2 else ORANGE
        cell(axes, bank, y, count if 0 < count < 10 else "", colour, hatch="///" if count > 2 else "")
        if count >= 10:
            axes.text(bank + 1.2, y + 0.5, f"← {count} lanes", va="center", fontsize=8, bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.8})
    axes.text(32.6, y + 0.5, f"{max(uses)} wavefront{'s' if max(uses) > 1 else ''}", va="center", fontsize=8)


@drawing("banks", height=2.0)
def banks(axes):
    """How many of the 32 lanes use each of the 32 banks, for five strides."""
    bare(axes, (-15, 40), (-0.2, 8.6))
    for bank in (0, 8, 16, 24, 31):
        axes.text(bank + 0.5, 7.0, f"{bank}", ha="center", fontsize=8)
    axes.text(16, 8.2, "bank 0 … 31, and how many lanes use it", ha="center", fontsize=8)
    for place, (stride, title) in enumerate(((1, "1 word: along a row"), (10, "10: tile[34][10]"), (32, "32 words"),
                                             (33, "33 words"), (34, "34 words"))):
        banks_row(axes, 5.6 - 1.35 * place, stride, title)


def reference(name):
    """Bandwidth as a fraction of a copy's, measured on an H200 with 16384 x 16384 points."""
    return float(rows("commands/ladder/reference.csv", table="stencil", name=name, n="16384")[0]["ms"])


@drawing("roofline", height=3.3)
def roofline(axes):
    """The roofline of an H200 in float, and lab 01's kernels."""
    bandwidth, peak, points, flops = 4.25, 66.9, 16384 ** 2, 6
    ridge = peak / bandwidth
    axes.set(xscale="log", yscale="log", xlim=(0.06, 200), ylim=(0.2, 130),
             xlabel="arithmetic intensity (flop per byte of device memory)", ylabel="performance (TFLOP/s)")
    axes.plot([0.06, ridge, 200], [0.06 * bandwidth, peak, peak], "-", color=INK, linewidth=1.8)
    axes.text(0.36, 2.0, "bandwidth × intensity", rotation=33, fontsize=8, ha="center", va="bottom", rotation_mode="anchor")
    axes.text(55, 74, "peak, 66.9 TFLOP/s", fontsize=8, ha="center")
    axes.plot([ridge, ridge], [0.2, peak], ":", color="#666666", linewidth=1)
    axes.text(ridge / 1.08, 0.26, f"ridge point, {ridge:.0f} flop per byte", fontsize=8, ha="right")
    intensity = flops / 8
    for place, (name, dy) in enumerate((("marching", 1.0), ("naive", 1.0), ("tiled", 0.93))):
        speed = flops * points / reference(name) / 1e9
        axes.plot([intensity], [speed], MARKERS[place], color=COLOURS[place], markersize=6)
        axes.text(intensity * 1.18, speed * dy, f"{name}, {speed:.1f} TFLOP/s", fontsize=8, va="center")
    csr = 9 / 52
    axes.plot([csr], [csr * bandwidth], "x", color=INK, markersize=7)
    axes.text(csr * 1.2, csr * bandwidth * 0.86, "CSR in float: the bound", fontsize=8, va="center")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")


@drawing("matrix", height=2.6)
def matrix(axes):
    """The pattern of A for 5 x 5 points, and its three CSR arrays for the first rows that matter."""
    n = 5
    bare(axes, (-4, 63.5), (-1.5, 27))
    frame(axes, 0, 0, 25, 25, "#888888")
    for k in range(n * n):
        i, j = divmod(k, n)
        inside = 0 < i < n - 1 and 0 < j < n - 1
        for step in (-n, -1, 0, 1, n) if inside else (0,):
            colour = BLUE if step == 0 and inside else GREEN if step == 0 else ORANGE
            axes.add_patch(pyplot.Rectangle((k + step, 24 - k), 1, 1, facecolor=colour, edgecolor=PAPER, linewidth=0.4,
                                            hatch="" if step == 0 else "////"))
    axes.text(12.5, 25.5, "column: index of a point, 0 … 24", ha="center", fontsize=8)
    axes.text(-1, 12.5, "row", ha="right", va="center", fontsize=8)
    arrow(axes, (29, 18.5), (25.3, 18.5), width=0.8)
    axes.text(29.4, 18.5, "row 6, point (1, 1)", va="center", fontsize=8)
    axes.text(28.4, 15.3, "row_start[6] = 6, row_start[7] = 11", va="center", fontsize=8, family="monospace")
    for place, (column, value) in enumerate(((1, "−1/h²"), (5, "−1/h²"), (6, "4/h²+κ²"), (7, "−1/h²"), (11, "−1/h²"))):
        colour = SKY if place == 2 else "#f3c9a5"
        x, width = 34.8 + 5 * place + 2.5 * (place > 2), 7.5 if place == 2 else 5
        cell(axes, x, 11, column, colour, width=width, height=2.3)
        cell(axes, x, 8, value, colour, width=width, height=2.3)
    axes.text(34.4, 12.1, "column", ha="right", va="center", fontsize=8, family="monospace")
    axes.text(34.4, 9.1, "value", ha="right", va="center", fontsize=8, family="monospace")
    for place, (colour, text, hatch) in enumerate(((GREEN, "1, rows of boundary points: 16", ""),
                                                   (BLUE, "4/h² + κ², rows of interior points: 9", ""),
                                                   (ORANGE, "−1/h², neighbours: 36", "////"))):
        axes.add_patch(pyplot.Rectangle((29.4, 4.2 - 2.4 * place), 1.4, 1.4, facecolor=colour, edgecolor=PAPER, linewidth=0.4,
                                        hatch=hatch))
        axes.text(31.6, 4.9 - 2.4 * place, text, va="center", fontsize=8)


@drawing("sm", height=3.1)
def multiprocessor(axes):
    """A multiprocessor: four schedulers with their warps and registers, and what all of them share."""
    bare(axes, (-0.5, 104), (-8, 50.5), equal=False)
    frame(axes, 0, 4.5, 103.5, 45.5, thick=1.5)
    for part in range(4):
        x = 2 + 25.5 * part
        frame(axes, x, 13, 23, 31.5, "#888888")
        cell(axes, x + 1, 37.5, f"scheduler {part}", SKY, 21, 5.5)
        for slot in range(16):
            busy = part == 0 and slot == 5
            cell(axes, x + 1 + 2.65 * (slot % 8), 31 - 4.3 * (slot // 8), "", ORANGE if busy else PAPER if slot % 3 else PALE, 2.2, 3.6)
        cell(axes, x + 1, 20.5, "32 lanes", PALE, 21, 4)
        cell(axes, x + 1, 14.2, "registers, 64 KiB", "#bfe0f3", 21, 5)
    arrow(axes, (16.5, 37.5), (16.5, 34.8), ORANGE)
    arrow(axes, (16.5, 31), (16.5, 24.7), ORANGE)
    cell(axes, 2, 6.5, "shared memory and L1, 256 KiB", SKY, 99.5, 5.2)
    axes.text(52, -2.5, "Small boxes: the warps of a scheduler, up to 16. In each clock it chooses one that is ready,\n"
              "and the lanes execute one instruction of it on their registers.", ha="center", va="center", fontsize=8)
    axes.text(52, 47.2, "a streaming multiprocessor", ha="center", va="center", fontsize=8.5, weight="bold")


@drawing("halo", height=3.1)
def halo(axes):
    """The input tile of 34 x 10 elements: which threads load which elements."""
    bare(axes, (-6, 47), (-3.2, 12.6))
    axes.add_patch(pyplot.Rectangle((0, 3), 34, 7, facecolor=SKY, linewidth=0))
    axes.add_patch(pyplot.Rectangle((0, 2), 18, 1, facecolor=SKY, linewidth=0))
    axes.add_patch(pyplot.Rectangle((18, 2), 16, 1, facecolor="#f3c9a5", hatch="////", edgecolor=PAPER, linewidth=0))
    axes.add_patch(pyplot.Rectangle((0, 0), 34, 2, facecolor="#f3c9a5", hatch="////", edgecolor=PAPER, linewidth=0))
    for line in range(11):
        axes.plot([0, 34], [line, line], "-", color="#bbbbbb", linewidth=0.4)
    for line in range(35):
        axes.plot([line, line], [0, 10], "-", color="#bbbbbb", linewidth=0.4)
    frame(axes, 0, 0, 34, 10)
    frame(axes, 1, 1, 32, 8, thick=1.8)
    for x, y, text in ((0.5, 9.5, "0"), (33.5, 9.5, "33"), (0.5, 8.5, "34"), (16.9, 2.5, "255"), (19.3, 2.5, "256"), (33.5, 0.5, "339")):
        axes.text(x, y, text, ha="center", va="center", fontsize=6.5, bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6})
    axes.text(17, 11.3, "input tile: 34 × 10 = 340 elements, numbered row by row", ha="center", fontsize=8)
    axes.text(34.8, 7.5, "blue: first step,\nelement k is loaded\nby thread k", fontsize=8, va="center")
    axes.text(34.8, 2.2, "hatched: second step,\nelement k is loaded\nby thread k − 256", fontsize=8, va="center")
    axes.text(17, -1.8, "thick frame: the 32 × 8 points of the block; around it, the halo", ha="center", va="center", fontsize=8)


@drawing("marching", height=2.9)
def marching(axes):
    """Three lanes of a warp with four columns each; rows in registers; values from the neighbouring lanes."""
    bare(axes, (-9.5, 27), (-2.3, 8.7))
    for place, lane in enumerate(("lane 4", "lane 5", "lane 6")):
        x = 6 * place
        axes.text(x + 2, 7.2, lane, ha="center", fontsize=8)
        for row in range(3):
            for column in range(4):
                cell(axes, x + column, 4.6 - 1.6 * row, "", ["#bfe0f3", SKY, "#f3c9a5"][row], 1, 1.1)
        frame(axes, x, 4.6 - 3.2, 4, 4.3, thick=1.2)
    for row, text in enumerate(("row i − 1", "row i", "row i + 1")):
        axes.text(-0.6, 5.1 - 1.6 * row, text, ha="right", va="center", fontsize=8)
    arrow(axes, (3.5, 3.5), (6.1, 3.5), ORANGE, width=1.4)
    arrow(axes, (12.5, 3.5), (9.9, 3.5), ORANGE, width=1.4)
    axes.text(17.3, 5.1, "kept in registers", fontsize=8, va="center")
    axes.text(17.3, 3.5, "kept; shuffles bring west and east", fontsize=8, va="center")
    axes.text(17.3, 1.9, "loaded: one float4 per lane", fontsize=8, va="center")
    arrow(axes, (-8, 6), (-8, 1), INK)
    axes.text(-7.6, 0.3, "one row down per step", fontsize=8, va="center")
    axes.text(8, -1.2, "After the step, rows move up: i becomes i − 1, and i + 1 becomes i.", fontsize=8, ha="center", va="center")
