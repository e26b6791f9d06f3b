"""The figure of commands/records/README.md."""

from drawing import COLOURS, LINES, MARKERS, drawing, rows

SWEEPS, CYCLES = "commands/records/cg.h200.csv", "solutions/07_multigrid/times.h200.csv"
PEERS = "commands/records/peers.h200.csv"


def series(name, column, value):
    """Sizes and milliseconds of the rows of a file whose column has this value."""
    found = rows(name, **{column: value})
    return [float(row["n"]) for row in found], [float(row["ms"]) for row in found]


@drawing("solutions", height=3.9)
def solutions(axes):
    """Time to a relative residual of 1e-6 by all methods, against the points per side."""
    methods = [
        ("lab 06, reduced CG", SWEEPS, "method", "reduced"),
        ("CG with sweeps", SWEEPS, "method", "sweeps"),
        ("CG on chip", SWEEPS, "method", "on chip"),
        ("four products, cuBLAS", PEERS, "task", "diagonalisation by products"),
        ("lab 07, multigrid as a graph", CYCLES, "method", "cycle, graph"),
        ("sine transforms, cuFFT", PEERS, "task", "diagonalisation by FFT"),
    ]
    for number, (label, *where) in enumerate(methods):
        axes.loglog(*series(*where), color=COLOURS[number % len(COLOURS)], linestyle=LINES[number % len(LINES)],
                    marker=MARKERS[number % len(MARKERS)], markersize=4, linewidth=1.2, label=label)
    axes.set(xlabel="points per side", ylabel="time to 1e-6 (ms)", xlim=(220, 40000))
    axes.set_xticks([256, 1024, 4096, 16384, 32768], ["256", "1024", "4096", "16384", "32768"])
    axes.set_xticks([], minor=True)
    axes.legend(fontsize=8, loc="upper left")
