"""The figures of labs/03_compressed/THEORY.md."""

from drawing import COLOURS, INK, MARKERS, PALE, PAPER, arrow, bare, cell, drawing, rows

RED, BLACK = COLOURS[1], "#555555"
FLIGHT = "commands/figures/lab_03_flight.csv"  # ./kit lab 03 flight --csv, with 1, 2 and 4 points per step


@drawing("rb_width_6", height=2.5)
def rb_width_6(axes):
    """A grid of 6 x 4 points: the colours on the left, the compressed indices of red on the right."""
    bare(axes, (-1.6, 16.2), (-0.9, 5.4))
    for row in range(4):
        y = 3 - row
        axes.text(-0.2, y + 0.5, f"row {row}", ha="right", va="center", fontsize=8)
        for j in range(6):
            red = (row + j) % 2 == 0
            cell(axes, j, y, "R" if red else "B", PAPER if red else "#bbbbbb", size=9, ink=RED if red else INK)
        for jh in range(3):
            j = 2 * jh + (row & 1)
            cell(axes, 8 + 1.8 * jh, y, f"R{jh}: {j}", size=8, width=1.8, ink=RED)
        axes.text(13.6, y + 0.5, f"s = {row & 1}", va="center", fontsize=8)
    for j in range(6):
        axes.text(j + 0.5, 4.3, str(j), ha="center", fontsize=8)
    axes.text(3, 5, "column j", ha="center", fontsize=8)
    for jh in range(3):
        axes.text(8.9 + 1.8 * jh, 4.3, f"jh = {jh}", ha="center", fontsize=8)
    axes.text(10.7, 5, "thread jh: column of red", ha="center", fontsize=8)
    axes.text(3, -0.6, "6 threads per row, 3 of them work", ha="center", fontsize=8)
    axes.text(10.7, -0.6, "3 threads per row, all of them work", ha="center", fontsize=8)
    arrow(axes, (6.3, 2), (7.7, 2))


@drawing("four_scenarios", height=3.2)
def four_scenarios(axes):
    """One request of a warp in four scenarios: words of memory, eight of them in a sector."""
    rows = [("half the lanes, interleaved", 16, 2, "16 lanes, 4 sectors, 16 of 32 bytes"),
            ("all lanes, interleaved", 32, 2, "32 lanes, 8 sectors, 16 of 32 bytes"),
            ("half the lanes, split", 16, 1, "16 lanes, 2 sectors, 32 of 32 bytes"),
            ("all lanes, split", 32, 1, "32 lanes, 4 sectors, 32 of 32 bytes")]
    bare(axes, (-0.5, 64.5), (-1.6, 20.5), equal=False)
    for row, (name, lanes, stride, count) in enumerate(rows):
        y = 15.2 - 5 * row
        axes.text(0, y + 2.9, f"{name}: {count} used", fontsize=8)
        for word in range(lanes * stride):
            used = word % stride == 0
            cell(axes, word, y, colour=COLOURS[5] if used else PALE, height=2, hatch="" if used else "////")
        for start in range(0, lanes * stride, 8):
            axes.plot([start, start, start + 8, start + 8], [y + 2.3, y - 0.4, y - 0.4, y + 2.3], color=INK,
                      linewidth=1.4, linestyle="-")
    axes.text(0, -1.5, "plain: a word that a lane requests;  hatched: moved, but not requested;  heavy frame: "
              "a sector of 8 words", fontsize=8)


@drawing("latency", height=3.0)
def latency(axes):
    """Timelines of an SM: one warp waits for each load; four warps, or four loads of a warp, overlap."""
    bare(axes, (-0.5, 34.5), (-1.4, 13.5), equal=False)

    def load(x, y, length=8.0, text=""):
        cell(axes, x, y, "", COLOURS[0], width=0.6, height=0.9)
        cell(axes, x + 0.6, y, text, PALE, width=length - 1.2, height=0.9, size=7, hatch="" if text else "///")
        cell(axes, x + length - 0.6, y, "", COLOURS[4], width=0.6, height=0.9, hatch="xxx")

    def title(y, text):
        axes.text(0, y, text, fontsize=8)

    title(12.3, "one warp, one load in flight: a result per latency")
    for n in range(4):
        load(8.2 * n, 11, text="waits")
    title(9.5, "four warps, one load each: four results per latency (occupancy)")
    for warp in range(4):
        for n in range(4):
            load(8.2 * n + 0.6 * warp, 8.2 - warp)
    title(3.7, "one warp, four independent loads: four results per latency (instruction-level parallelism)")
    for n in range(4):
        for k in range(4):
            cell(axes, 8.2 * n + 0.55 * k, 2.3, "", COLOURS[0], width=0.5, height=0.9)
            cell(axes, 8.2 * n + 5.8 + 0.55 * k, 2.3, "", COLOURS[4], width=0.5, height=0.9, hatch="xxx")
        cell(axes, 8.2 * n + 2.2, 2.3, "waits", PALE, width=3.6, height=0.9, size=7)
    for x, colour, hatch, text in ((0, COLOURS[0], "", "load issued"), (10, PALE, "///", "waits"),
                                   (17, COLOURS[4], "xxx", "values arrive, result")):
        cell(axes, x, 0.2, "", colour, width=0.9, height=0.9, hatch=hatch)
        axes.text(x + 1.4, 0.3, text, fontsize=8)
    arrow(axes, (0, -0.7), (34, -0.7))
    axes.text(34, -1.3, "time", ha="right", va="top", fontsize=8)


@drawing("flight", height=3.4)
def flight(axes):
    """Effective bandwidth of the walking half-sweep against the number of warps, for 1, 2 and 4 points per step."""
    for n, points in enumerate((1, 2, 4)):
        mine = rows(FLIGHT, points=str(points))
        x = [int(row["warps"]) for row in mine]
        y = [float(row["gigabytes_per_s"]) for row in mine]
        axes.loglog(x, y, marker=MARKERS[n], markersize=4, linewidth=1.2)
        axes.annotate(f"{points} point{'s' if points > 1 else ''}", (x[0], y[0]), (-7, 0), textcoords="offset points",
                      fontsize=8, ha="right", va="center", color=COLOURS[n])
    axes.axhline(4250 / 2, color=INK, linestyle=(0, (1, 2)), linewidth=1)
    axes.text(40, 4250 / 2 * 1.05, "half of copy bandwidth: 24 bytes move where 12 count", fontsize=8, va="bottom")
    axes.text(1700, 220, "bandwidth-bound:\nmore loads in flight\ngain nothing", fontsize=8, va="bottom")
    axes.text(330, 43, "latency-bound:\ntwice the loads in flight,\ntwice the bandwidth", fontsize=8, va="bottom")
    axes.set_xticks([66, 132, 264, 528, 1056, 2112, 4224], ["66", "132", "264", "528", "1056", "2112", "4224"])
    axes.minorticks_off()
    axes.set_yticks([50, 100, 200, 500, 1000, 2000], ["50", "100", "200", "500", "1000", "2000"])
    axes.set_xlim(36, 5500)
    axes.set_ylim(40, 3600)
    axes.set_xlabel("warps in the launch (132 SMs)")
    axes.set_ylabel("effective bandwidth (GB/s, model)")
