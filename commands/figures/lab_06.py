"""The figures of labs/06_pcg/THEORY.md."""

import numpy
from drawing import COLOURS, HATCHES, INK, LINES, MARKERS, PALE, PAPER, arrow, bare, cell, drawing, rows

# Bytes per point that an iteration reads and writes: vectors of 8 bytes; the matrix has 5 entries of 12 bytes in a row
# and 4 of the start of the row.
PRODUCT, VECTORS, MATRIX = 16, 64, 5 * 12 + 4


def panels(axes, count, **options):
    """Replaces the axes by `count` axes in a row."""
    sheet = axes.figure
    axes.remove()
    return sheet.subplots(1, count, **options)


def descend(a, b, u, steps, conjugate):
    """The iterates of steepest descent, or of conjugate gradients."""
    path, r = [u], b - a @ u
    p = r
    for _ in range(steps):
        if r @ r < 1e-24:
            break
        alpha = (r @ r) / (p @ a @ p) if conjugate else (r @ r) / (r @ a @ r)
        u = u + alpha * (p if conjugate else r)
        old, r = r, b - a @ u
        p = r + (r @ r) / (old @ old) * p
        path.append(u)
    return numpy.array(path)


@drawing("level_sets", height=2.9)
def level_sets(axes):
    """Two unknowns: the level sets of F, and the paths of both methods."""
    a, b, start = numpy.array([[4.0, -2.4], [-2.4, 2.2]]), numpy.zeros(2), numpy.array([-0.55, -1.85])
    angles = numpy.linspace(0, 2 * numpy.pi, 361)
    ellipse = numpy.linalg.inv(numpy.linalg.cholesky(a)).T @ [numpy.cos(angles), numpy.sin(angles)]  # where u^T A u = 1
    for part, conjugate in zip(panels(axes, 2, sharey=True), (False, True)):
        path = descend(a, b, start, 12, conjugate)
        for point in path[:6]:
            if point @ a @ point > 1e-6:
                part.plot(*(numpy.sqrt(point @ a @ point) * ellipse), "-", color="#888888", linewidth=0.7)
        part.plot(*path.T, color=COLOURS[1] if conjugate else COLOURS[0], marker=MARKERS[1 if conjugate else 0], markersize=4,
                  linewidth=1.4)
        part.plot([0], [0], "+", color=INK, markersize=9)
        part.text(start[0] + 0.12, start[1] - 0.05, "start", fontsize=8.5)
        part.set(aspect="equal", xticks=[], yticks=[], xlim=(-2.1, 1.2), ylim=(-2.1, 0.7), xlabel="first unknown",
                 title="conjugate gradients: 2 steps" if conjugate else "steepest descent: 12 steps and not there")
        part.grid(False)
        part.title.set_fontsize(9)
        if not conjugate:
            part.set_ylabel("second unknown")


@drawing("growth", height=3.3)
def growth(axes):
    """Iterations to 1e-6 against n, both axes logarithmic."""
    found = {}
    for row in rows("commands/figures/lab_06_growth.csv"):
        found.setdefault(row["method"], []).append((int(row["n"]), int(row["iterations"])))
    names = [("CG", "CG", 1.0), ("red-black opt", "red-black, formula's ω", 0.86), ("red-black 1", "red-black, ω = 1", 1.12),
             ("reduced", "reduced system", 0.84), ("natural 1", "natural, ω = 1", 0.8), ("natural opt", "natural, formula's ω", 1.0)]
    for order, (method, name, shift) in enumerate(names):
        n, iterations = zip(*found[method])
        hollow = method in ("reduced", "red-black opt")
        axes.plot(n, iterations, color=COLOURS[order], linestyle=LINES[order], marker=MARKERS[order], markersize=8 if hollow else 4,
                  markerfacecolor="none" if hollow else COLOURS[order], linewidth=1.3)
        place = {"CG": 1.13, "red-black opt": 0.89}.get(method, shift)
        axes.text(1110, iterations[-1] * place, name, color=COLOURS[order], fontsize=8.5, va="center")
    axes.set(xscale="log", yscale="log", xlabel="n, interior points per row", ylabel="iterations", xlim=(14, 1100))
    axes.set_xticks([16, 32, 64, 128, 512, 1024], ["16", "32", "64", "128", "512", "1024"])
    axes.set_yticks([10, 20, 50, 100, 200, 500, 1000, 2000], ["10", "20", "50", "100", "200", "500", "1000", "2000"])
    axes.minorticks_off()


@drawing("orders", height=2.9)
def orders(axes):
    """The step of a forward sweep in which each of 6 × 6 points is computed, and what the first point has reached."""
    bare(axes, (-0.4, 20.5), (-0.5, 8.1))
    for left, title, natural in ((0, "natural ordering: 11 steps", True), (7.5, "red-black: 2 steps", False)):
        axes.text(left, 6.6, title, fontsize=9)
        for i in range(6):
            for j in range(6):
                step = i + j + 1 if natural else 1 + (i + j) % 2
                reached = natural or i + j <= 1
                cell(axes, left + j, 5 - i, step, COLOURS[5] if reached else PAPER)
    arrow(axes, (0.5, 5.2), (5.6, 0.5), COLOURS[1], width=1.3)
    lines = ["number: step in which", "the point is computed", "", "blue: depends on the", "upper left point in",
             "this sweep", "", "white: does not"]
    for row, text in enumerate(lines):
        axes.text(14.3, 5.4 - 0.7 * row, text, fontsize=8.5)


@drawing("reduction", height=3.1)
def reduction(axes):
    """Eight lanes add their values in three steps."""
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    bare(axes, (-2.9, 15.2), (-0.3, 8.4))
    for lane in range(8):
        axes.text(1.5 * lane + 0.6, 7.9, f"lane {lane}", ha="center", fontsize=8)
    row = 6.7
    for distance in (4, 2, 1, 0):
        for lane in range(8):
            useful = lane < 2 * distance or (distance == 0 and lane == 0)
            cell(axes, 1.5 * lane, row, values[lane], COLOURS[5] if useful else PALE, 1.2, 0.85, hatch="" if useful else HATCHES[1])
            if not useful:
                axes.text(1.5 * lane + 0.6, row + 0.42, values[lane], ha="center", va="center", fontsize=8,
                          bbox={"facecolor": PALE, "edgecolor": "none", "pad": 0.8})
        if distance:
            axes.text(-0.3, row - 0.6, f"distance {distance}", ha="right", va="center", fontsize=8.5)
            for lane in range(distance):
                arrow(axes, (1.5 * (lane + distance) + 0.6, row), (1.5 * lane + 0.75, row - 1.2), width=0.8)
                arrow(axes, (1.5 * lane + 0.6, row), (1.5 * lane + 0.6, row - 1.2), width=0.8)
            values = [values[lane] + (values[lane + distance] if lane + distance < 8 else values[lane]) for lane in range(8)]
            row -= 2.05
    axes.text(12.3, row + 0.4, "blue: counts for the sum", fontsize=8.5, va="center")


@drawing("launches", height=2.5)
def launches(axes):
    """An iteration with scalars on the host, above, and in a graph, below."""
    bare(axes, (-2.5, 24.2), (-0.5, 7.6), equal=False)

    def lane(y, name, boxes):
        axes.text(-0.2, y + 0.4, name, ha="right", va="center", fontsize=8.5)
        for x, width, text, busy in boxes:
            cell(axes, x, y, "", COLOURS[5] if busy else PALE, width, 0.8, hatch="" if busy else "///")
            if text:
                axes.text(x + width / 2, y + 0.38, text, ha="center", va="center", fontsize=8,
                          bbox=None if busy else {"facecolor": "white", "edgecolor": "none", "pad": 0.8})

    axes.text(-2.5, 7.0, "cg_solve: the host waits for three sums; without a preconditioner, r·z is r·r", fontsize=8.5)
    lane(5.6, "host", [(0, 0.6, "", True), (0.6, 3.4, "wait r·r", False), (4, 0.6, "", True), (4.6, 3.4, "wait r·z", False),
                       (8, 1, "", True), (9, 5, "wait p·q", False), (14, 1, "", True), (15, 5, "wait r·r", False), (20, 0.6, "", True)])
    lane(4.5, "device", [(0.7, 1.6, "dot", True), (2.3, 2.4, "idle", False), (4.7, 1.6, "dot", True), (6.3, 2.4, "idle", False),
                         (8.7, 3.6, "p, q, dot", True), (12.3, 2.3, "idle", False), (14.6, 3.6, "u, r, dot", True),
                         (18.2, 2.4, "idle", False)])
    axes.text(-2.5, 3.1, "cg_solve_fused: one launch of a graph holds many iterations; the last block computes α and β", fontsize=8.5)
    lane(1.8, "host", [(0, 1, "", True), (1, 19.6, "reads the state of the previous batch", False)])
    boxes, x = [], 0.7
    for _ in range(4):
        boxes += [(x, 2.4, "p, α", True), (x + 2.5, 2.4, "u, r, β", True)]
        x += 5.0
    lane(0.7, "device", boxes)
    arrow(axes, (0, 0.1), (21.5, 0.1), INK)
    axes.text(21.7, 0.1, "time", va="center", fontsize=8.5)


@drawing("traffic", height=2.3)
def traffic(axes):
    """Bytes per grid point of one iteration."""
    methods = [("reduced system", 32, [("", 32)]), ("fused CG", 64, [("", 64)]),
               ("CG, matrix-free", VECTORS + PRODUCT, [("product A p", PRODUCT), ("sums and updates", VECTORS)]),
               ("CG, CSR matrix", VECTORS + PRODUCT + MATRIX, [("product A p", PRODUCT), ("matrix", MATRIX), ("sums and updates", VECTORS)])]
    looks = {"": (COLOURS[5], ""), "product A p": (COLOURS[0], ""), "matrix": (COLOURS[1], "///"), "sums and updates": (COLOURS[5], "")}
    for row, (_, total, parts) in enumerate(methods):
        left = 0
        for name, size in parts:
            colour, hatch = looks[name]
            axes.barh(row, size, left=left, color=colour, hatch=hatch, edgecolor="white", height=0.62)
            if name:
                axes.text(left + size / 2, row, f"{name.replace('product ', '')} {size}", ha="center", va="center", fontsize=8,
                          color="white" if name == "product A p" else INK,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8} if hatch else None)
            left += size
        axes.text(total + 2, row, f"{total}", va="center", fontsize=9)
    axes.set_yticks(range(4), [name for name, _, _ in methods])
    axes.set(xlabel="bytes per grid point and iteration", xlim=(0, 160))
    axes.grid(axis="y", visible=False)


@drawing("last_block", height=2.5)
def last_block(axes):
    """Three blocks: sum, fence, count; the one that counts last adds all sums."""
    bare(axes, (-3, 27.5), (-1.2, 6.3), equal=False)
    for row, (start, number) in enumerate(((0, 2), (2.6, 3), (1.2, 1))):
        y, x = 4.6 - 1.9 * row, start
        axes.text(-0.4, y + 0.6, f"block {row}", ha="right", va="center", fontsize=8.5)
        for width, text, colour in ((4.6, "adds its part", COLOURS[5]), (2.6, "stores", PALE), (2.4, "fence", "#f3c9a5"),
                                    (3.5, f"counts: {number}", PALE)):
            cell(axes, x, y, text, colour, width, 1.2)
            x += width
        if number == 3:
            cell(axes, x, y, "last: adds all sums", COLOURS[5], 6.8, 1.2)
        else:
            axes.text(x + 0.3, y + 0.6, "ends", va="center", fontsize=8.5)
    arrow(axes, (0, -0.2), (24, -0.2))
    axes.text(24.2, -0.2, "time", va="center", fontsize=8.5)


@drawing("nine_points", height=2.6)
def nine_points(axes):
    """Elimination of the red neighbours: a black point then depends on the black points next to them."""
    bare(axes, (-0.4, 17), (-0.4, 6.2))
    for left, title, steps in ((0, "A: four red neighbours", 1), (8, "reduced: nine black points", 2)):
        axes.text(left + 2.5, 5.6, title, ha="center", fontsize=8.5)
        for i in range(5):
            for j in range(5):
                distance = abs(i - 2) + abs(j - 2)
                red = distance % 2 == 1
                used = distance == 1 if steps == 1 else distance == 2
                colour = COLOURS[5] if distance == 0 else "#f3c9a5" if red else "#bbbbbb" if used and steps == 2 else PAPER
                text = {1: "r" if distance == 1 else "", 2: "r" if distance == 1 else "b" if used else ""}[steps]
                if distance > steps:
                    continue
                cell(axes, left + j, 4 - i, "", colour, hatch="////" if red and steps == 2 else "")
                axes.text(left + j + 0.5, 4.5 - i, "b" if distance == 0 else text, ha="center", va="center", fontsize=8,
                          bbox={"facecolor": colour, "edgecolor": "none", "pad": 1.0})
    axes.text(13.7, 3.4, "b: black", fontsize=8.5)
    axes.text(13.7, 2.5, "r: red", fontsize=8.5)
    axes.text(13.7, 1.6, "hatched:\neliminated", fontsize=8.5, va="center")


@drawing("polynomial", height=2.7)
def polynomial(axes):
    """The polynomials of degree 5 with value 1 at zero, on the eigenvalues of h²A for n = 8."""
    n, degree = 8, 5
    mu = numpy.cos(numpy.pi * numpy.arange(1, n + 1) / (n + 1))
    spectrum = numpy.unique(numpy.round(4 - 2 * mu[:, None] - 2 * mu[None, :], 9))
    low, high = spectrum[0], spectrum[-1]
    x = numpy.linspace(0, high, 160)
    chebyshev = numpy.polynomial.chebyshev.Chebyshev.basis(degree)
    best = chebyshev((high + low - 2 * x) / (high - low)) / chebyshev((high + low) / (high - low))
    axes.axvspan(low, high, color=PALE)
    axes.plot(x, (1 - 2 * x / (high + low))**degree, color=COLOURS[1], linestyle=LINES[1], linewidth=1.3)
    axes.plot(x, best, color=COLOURS[0], linewidth=1.5)
    axes.plot(spectrum, 0 * spectrum, "|", color=INK, markersize=9)
    axes.axhline(0, color="#888888", linewidth=0.7)
    axes.text(1.0, 0.55, "Chebyshev: smallest bound on the interval", color=COLOURS[0], fontsize=8.5)
    axes.text(1.9, 0.82, "simple iteration: (1 − 2λ/(λmin + λmax))⁵", color=COLOURS[1], fontsize=8.5)
    axes.set(xlabel="eigenvalue λ of h²A, n = 8 (marks)", ylabel="polynomial, 1 at λ = 0", xlim=(0, 8), ylim=(-1, 1.08))
