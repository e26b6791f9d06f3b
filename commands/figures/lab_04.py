"""The figures of labs/04_split_layout/THEORY.md."""

from drawing import COLOURS, INK, MARKERS, PALE, PAPER, arrow, bare, cell, drawing, pyplot, rows

RED, DARK = COLOURS[1], "#bbbbbb"
REFERENCE = "commands/ladder/reference.csv"
COPY, PEAK_MEMORY, PEAK_FP32 = 4.25, 4.8, 67.0  # TB/s of a 1 GiB copy; TB/s and TFLOP/s of NVIDIA's data sheet
FLOPS, POINTS = 5, 16384 ** 2  # of a point and sweep; of the grid
# Bytes that a rung moves between memory and chip per point and sweep: see the table of the page.
BYTES = {"masked": 24, "compressed": 24, "split": 12, "split_float4": 12, "fused": 10.2 / 7}


@drawing("layouts", height=2.7)
def layouts(axes):
    """Two rows of a grid of width 8: interleaved, and split by colour; neighbours of one red point."""
    bare(axes, (-2.6, 19.5), (-1.0, 5.6), equal=False)
    axes.text(4, 5.1, "interleaved: u", ha="center", fontsize=8)
    axes.text(13, 5.1, "split: red and black", ha="center", fontsize=8)
    for row, y in ((1, 3.4), (2, 2.4), (3, 1.4)):
        axes.text(-0.3, y + 0.45, f"row {row}", ha="right", va="center", fontsize=8)
        for j in range(8):
            red = (row + j) % 2 == 0
            cell(axes, j, y, str(j), PAPER if red else DARK, height=0.9, ink=RED if red else INK)
        for jh in range(4):
            for colour, x in ((0, 9.4), (1, 14.4)):
                j = 2 * jh + (row + colour) % 2
                cell(axes, x + jh, y, str(j), DARK if colour else PAPER, height=0.9, ink=INK if colour else RED)
    for colour, x, name in ((0, 9.4, "red"), (1, 14.4, "black")):
        axes.text(x + 2, 4.45, name, ha="center", fontsize=8)
        for jh in range(4):
            axes.text(x + jh + 0.5, 0.95, f"{jh}", ha="center", fontsize=8)
    axes.text(9.1, 0.95, "jh", ha="right", fontsize=8)
    frame = {"fill": False, "linewidth": 1.8}
    for x, y in ((4, 2.4), (11.4, 2.4)):
        axes.add_patch(pyplot.Rectangle((x + 0.06, y + 0.06), 0.88, 0.78, edgecolor=RED, zorder=3, **frame))
    for x, y in ((3, 2.4), (5, 2.4), (4, 3.4), (4, 1.4), (15.4, 2.4), (16.4, 2.4), (16.4, 3.4), (16.4, 1.4)):
        axes.add_patch(pyplot.Rectangle((x + 0.06, y + 0.06), 0.88, 0.78, edgecolor=INK, zorder=3, **frame))
    axes.text(-2.4, 0.1, "Framed: the red point in row 2, column 4 (jh = 2) and its four neighbours. In the black array, west and east are",
              fontsize=8, va="top")
    axes.text(-2.4, -0.5, "side by side, at jh = 1 and 2 in this row; in odd rows they are at jh and jh + 1.", fontsize=8, va="top")


@drawing("wide_loads", height=2.6)
def wide_loads(axes):
    """One load instruction of a warp: 32 words in 4 sectors, or 32 float4 in 16 sectors."""
    bare(axes, (-0.5, 64.5), (-2.2, 12), equal=False)
    axes.text(0, 11.2, "LDG.32: a float per lane. One request, 4 sectors, 128 bytes", fontsize=8)
    for word in range(32):
        cell(axes, 0.5 * word, 8.8, colour=COLOURS[5], width=0.5, height=1.6)
    for sector in range(5):
        axes.plot([4 * sector] * 2, [8.4, 10.7], color=INK, linewidth=1.4, linestyle="-")
    axes.text(0, 7.0, "LDG.128: a float4 per lane. One request, 16 sectors, 512 bytes (boxes: lanes 0 to 31)", fontsize=8)
    for lane in range(32):
        cell(axes, 2 * lane, 4.6, str(lane) if lane < 4 else "", COLOURS[5], width=2, height=1.6)
    for sector in range(17):
        axes.plot([4 * sector] * 2, [4.2, 6.5], color=INK, linewidth=1.4, linestyle="-")
    axes.text(0, 2.4, "The five values of a lane's row, odd case: its own float4, and the first value of the next lane", fontsize=8)
    for n, name in enumerate("bcdef"):
        cell(axes, 3 * n + 2, 0.3, name, COLOURS[5] if n < 4 else PALE, width=3, height=1.6, hatch="" if n < 4 else "///")
    axes.text(18, 0.8, "west = b c d e,  east = c d e f:  f comes by shuffle", fontsize=8, va="center")
    axes.text(0, -1.7, "heavy marks: limits of sectors", fontsize=8)


def place_rungs(axes):
    offsets = {"masked": (8, -3), "compressed": (8, -4), "split": (8, -8), "split_float4": (8, -2), "fused": (9, -3)}
    names = {"split_float4": "split float4", "fused": "fused, 7 sweeps"}
    for n, row in enumerate(rows(REFERENCE, table="ladder", clock="GPU")):
        x, y = FLOPS / BYTES[row["name"]], FLOPS * POINTS / float(row["ms"]) / 1e9
        axes.plot([x], [y], marker=(MARKERS + ["*"])[n], color=COLOURS[n], markersize=6, linestyle="none")
        axes.annotate(names.get(row["name"], row["name"]), (x, y), offsets[row["name"]], textcoords="offset points", fontsize=8)


@drawing("roofline", height=3.8)
def roofline(axes):
    """The roofline of an H200 with the rungs of the ladder and the matrix products."""
    ridge = PEAK_FP32 / PEAK_MEMORY
    axes.loglog([0.1, ridge, 100], [0.1 * PEAK_MEMORY, PEAK_FP32, PEAK_FP32], color=INK, linewidth=1.6, linestyle="-")
    axes.loglog([0.1, PEAK_FP32 / COPY], [0.1 * COPY, PEAK_FP32], color=INK, linewidth=1, linestyle="--")
    axes.loglog([PEAK_FP32 / 2 / PEAK_MEMORY, 100], [PEAK_FP32 / 2] * 2, color=INK, linewidth=1, linestyle=":")
    axes.text(1.45, 9.6, "4.8 TB/s (data sheet)", rotation=35, fontsize=8, ha="center", va="center")
    axes.text(1.6, 4.7, "4.25 TB/s (copy)", rotation=35, fontsize=8, ha="center", va="center")
    axes.text(95, 71, "67 TFLOP/s, FP32 with FMA", fontsize=8, ha="right", va="bottom")
    axes.text(95, 31.5, "33.5 TFLOP/s, without FMA", fontsize=8, ha="right", va="top")
    place_rungs(axes)
    axes.plot([32], [44.6], marker="P", color=COLOURS[5], markersize=7, linestyle="none")
    axes.annotate("SGEMM tiles", (32, 44.6), (7, -3), textcoords="offset points", fontsize=8)
    axes.axvline(0.25, ymax=0.1, color=INK, linewidth=1.4, linestyle="-")
    axes.text(0.262, 0.225, "naive SGEMM without caches", fontsize=8, va="bottom")
    axes.set_xlim(0.1, 100)
    axes.set_ylim(0.2, 130)
    axes.set_xticks([0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100"])
    axes.set_yticks([0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], ["0.2", "0.5", "1", "2", "5", "10", "20", "50", "100"])
    axes.minorticks_off()
    axes.set_xlabel("arithmetic intensity (flop per byte of memory traffic)")
    axes.set_ylabel("TFLOP/s, H200")


def mover(axes):
    axes.text(0.0, 17.3, "mover of A: 128 x 8,", fontsize=8)
    axes.text(0.0, 16.4, "a float4 per thread", fontsize=8)
    for row in range(6):
        y = 14 - 1.3 * row
        for half in range(2):
            text = 2 * row + half if row < 4 else (254 + half if row == 5 else "…")
            cell(axes, 2.6 * half, y, f"t{text}" if row != 4 else "…", COLOURS[5] if half == 0 else PALE, width=2.6, height=1.2)
        axes.text(-0.2, y + 0.5, {4: "…", 5: "127"}.get(row, str(row)), ha="right", va="center", fontsize=8)
    axes.text(2.6, 6.3, "8 columns", ha="center", fontsize=8)
    axes.text(0.0, 5.2, "mover of B: 8 x 128,", fontsize=8)
    axes.text(0.0, 4.3, "a warp per row", fontsize=8)
    for row in range(3):
        y = 2.7 - 1.3 * row
        for n, text in enumerate(("t0", "t1", "…", "t31") if row == 0 else ("t32", "t33", "…", "t63") if row == 1 else ("…",) * 4):
            cell(axes, 2.0 * n, y, text, COLOURS[5] if n % 2 == 0 else PALE, width=2.0, height=1.2)
        axes.text(-0.2, y + 0.5, ("0", "1", "…")[row], ha="right", va="center", fontsize=8)


@drawing("mover_calculator", height=3.5)
def mover_calculator(axes):
    """Which thread loads which part of the tiles, and which entries of C it computes."""
    bare(axes, (-1.2, 32.5), (-2.4, 18.2), equal=False)
    mover(axes)
    axes.text(13.2, 17.3, "calculator: 128 x 128 entries of C, 8 x 8 per thread: four boxes of 4 x 4", fontsize=8)
    left, size, wide = 13.2, 14.0, 18.4
    for half_row in range(2):
        for half_column in range(2):
            for r in range(4):
                for c in range(4):
                    x, y = left + wide / 2 * half_column + wide / 8 * c, 15.5 - size / 2 * half_row - size / 8 * (r + 1)
                    label = "…" if 2 in (r, c) else f"t{16 * (15 if r == 3 else r) + (15 if c == 3 else c)}"
                    mine = (r, c) == (1, 1)
                    cell(axes, x, y, label, COLOURS[1] if mine else PAPER, width=wide / 8, height=size / 8,
                         ink=PAPER if mine else INK)
    axes.plot([left, left + wide], [15.5 - size / 2] * 2, color=INK, linewidth=2, linestyle="-")
    axes.plot([left + wide / 2] * 2, [1.5, 15.5], color=INK, linewidth=2, linestyle="-")
    for n, text in enumerate(("0", "4", "", "60", "64", "68", "", "124")):
        axes.text(left + wide / 8 * n + 0.2, 15.7, text, fontsize=8)
        axes.text(left - 0.2, 15.2 - size / 8 * n, text, fontsize=8, ha="right", va="top")
    axes.text(left + wide / 2, 0.6, "thread 17 (filled) owns rows and columns 4-7 and 68-71", ha="center", fontsize=8)
    axes.text(left + wide / 2, -0.6, "numbers: first row or column of a box", ha="center", fontsize=8)


@drawing("pipeline", height=2.5)
def pipeline(axes):
    """Time lines of tiles 0 to 3: load then compute, and two buffers with overlap."""
    bare(axes, (-6.4, 36.5), (-1.6, 9.6), equal=False)
    wide = 5.2

    def box(x, y, text, colour):
        cell(axes, x, y, text, colour, width=wide, height=1.3)

    axes.text(-6.3, 8.8, "one buffer", fontsize=8)
    for n in range(3):
        box(2 * wide * n, 7.2, f"load {n}", PALE)
        box(2 * wide * n + wide, 5.8, f"compute {n}", COLOURS[5])
    axes.text(-6.3, 4.3, "two buffers", fontsize=8)
    for n in range(4):
        x = (wide + 0.4) * n
        box(x, 2.6, f"load {n}", PALE)
        axes.text(x + wide / 2, 4.2, f"buffer {n % 2}", fontsize=8, ha="center")
        box(x + wide + 0.4, 1.2, f"compute {n}", COLOURS[5])
        axes.plot([x + wide + 0.2] * 2, [0.9, 4.1], color=INK, linewidth=1.2, linestyle=":")
    axes.text(24, 3.1, "dotted: wait for copies, barrier", fontsize=8)
    for y, text in ((7.8, "memory"), (6.4, "arithmetic"), (3.2, "memory"), (1.8, "arithmetic")):
        axes.text(-0.3, y, text, ha="right", va="center", fontsize=8)
    arrow(axes, (0, 0), (36, 0))
    axes.text(36, -0.3, "time", ha="right", va="top", fontsize=8)


@drawing("wavefront", height=3.2)
def wavefront(axes):
    """Which half-sweep has reached which row of a strip, at one step of the fused kernel, for two sweeps."""
    bare(axes, (-4.6, 22), (-1.8, 10.4), equal=False)
    halves = ["red 1", "black 1", "red 2", "black 2"]
    step = 7
    for row in range(10):
        axes.text(-0.3, 9 - row + 0.45, f"row {row}", ha="right", va="center", fontsize=8)
        for k, _ in enumerate(halves):
            at = step - k
            now, done = row == at, row < at
            cell(axes, 2.4 * k, 9 - row, "now" if now else "done" if done else "", COLOURS[1] if now else PALE if done else PAPER,
                 width=2.4, height=0.9, ink=PAPER if now else INK)
    for k, name in enumerate(halves):
        axes.text(2.4 * k + 1.2, 10.1, name, ha="center", fontsize=8)
    axes.plot([0, 9.6], [1, 1], color=INK, linewidth=1.6, linestyle="--")
    for y, text in ((8.6, "done by all four: black 2 is stored, and the"), (7.9, "row leaves the chip"),
                    (4.6, "half-sweep k updates row s - k; it needs rows"), (3.9, "s - k - 1 to s - k + 1 of the half-sweep to its left,"),
                    (3.2, "which are kept in registers"), (1.3, "row 8 of black and of h2f has just arrived"),
                    (0.6, "row 9 is on its way")):
        axes.text(10.2, y, text, fontsize=8)
    arrow(axes, (-3.9, 9.5), (-3.9, 0.5))
    axes.text(-4.3, 5, "the warp walks down", rotation=90, va="center", ha="center", fontsize=8)
    axes.text(4.8, -0.7, f"step s = {step}, two sweeps: four half-sweeps in flight", ha="center", fontsize=8)
