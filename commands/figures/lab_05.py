"""The figures of labs/05_sor_omega/THEORY.md."""

import numpy
from drawing import COLOURS, INK, LINES, MARKERS, PALE, arrow, bare, cell, drawing, rows


def series(name):
    """{method: (iterations, residuals)} of a file of histories."""
    found = {}
    for row in rows(name):
        found.setdefault(row["method"], []).append((float(row["iteration"]), float(row["relative_residual"])))
    return {method: numpy.array(points).T for method, points in found.items()}


def panels(axes, count):
    """Replaces the axes by `count` axes in a row."""
    sheet = axes.figure
    axes.remove()
    return sheet.subplots(1, count)


def radius(n):
    return numpy.cos(numpy.pi / (n + 1))


def optimal(rho):
    return 2 / (1 + numpy.sqrt(1 - rho**2))


def eigenvalues(mu, omega):
    """Both solutions of (λ + ω − 1)² = λω²μ²."""
    middle = (1 - omega) + (omega * mu)**2 / 2
    root = numpy.sqrt(middle**2 - (omega - 1)**2 + 0j)
    return numpy.concatenate([middle + root, middle - root])


def contraction(mu, omega):
    both = numpy.abs(eigenvalues(mu, omega))
    return numpy.maximum(both[:len(mu)], both[len(mu):])


@drawing("eigenvalues", height=2.3)
def eigenvalue_plane(axes):
    """All eigenvalues of a sweep at n = 16, in the complex plane, for four factors."""
    n = 16
    cosines = numpy.cos(numpy.arange(1, n + 1) * numpy.pi / (n + 1))
    mu = numpy.unique(numpy.round(numpy.abs(numpy.add.outer(cosines, cosines) / 2), 12))
    angle = numpy.linspace(0, 2 * numpy.pi, 200)
    best = optimal(radius(n))
    for part, (omega, name) in zip(panels(axes, 4), ((1, "ω = 1"), (1.4, "ω = 1.4"), (best, f"ω = {best:.4f}"), (1.9, "ω = 1.9"))):
        part.plot(numpy.cos(angle), numpy.sin(angle), ":", color="#777777", linewidth=1)
        part.plot((omega - 1) * numpy.cos(angle), (omega - 1) * numpy.sin(angle), "-", color=COLOURS[5], linewidth=1)
        values = eigenvalues(mu, omega)
        part.plot(values.real, values.imag, "o", color=COLOURS[0], markersize=2.6)
        part.plot([contraction(numpy.array([radius(n)]), omega)[0] if omega <= best else numpy.nan], [0], "D", color=COLOURS[1],
                  markersize=5)
        part.set(title=f"{name}\nρ = {numpy.abs(values).max():.3f}", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal",
                 xticks=(-1, 0, 1), yticks=(-1, 0, 1))
        part.tick_params(labelleft=omega == 1, labelsize=8)
        part.title.set_fontsize(9)


@drawing("modes", height=3.2)
def modes(axes):
    """The factor by which one sweep multiplies the mode with Jacobi eigenvalue μ."""
    mu = numpy.linspace(0, 1, 801)
    best = optimal(radius(16))
    curves = [("Jacobi: |μ|", mu, (0.24, 0.3)), ("ω = 1: μ²", mu**2, (0.52, 0.17)),
              ("ω = 1.5", contraction(mu, 1.5), (0.05, 0.53)),
              (f"ω = {best:.2f}, optimal at n = 16", contraction(mu, best), (0.05, 0.72)),
              ("ω = 1.9", contraction(mu, 1.9), (0.05, 0.93))]
    for order, (name, values, at) in enumerate(curves):
        axes.plot(mu, values, color=COLOURS[order], linestyle=LINES[order], linewidth=1.6)
        axes.text(*at, name, fontsize=8.5, color=COLOURS[order], rotation=35 if order == 0 else 0)
    axes.axvline(radius(16), color="#777777", linewidth=0.9, linestyle=":")
    axes.text(radius(16) - 0.01, 0.06, "the slowest mode, μ = ρ", ha="right", fontsize=8)
    axes.set(xlabel="|μ|, the factor of Jacobi's method for this mode", ylabel="factor per sweep", xlim=(0, 1.001), ylim=(0, 1.02))


@drawing("cusp", height=3.0)
def cusp(axes):
    """The spectral radius of a sweep over ω for three grids; the points are measured."""
    omega = numpy.linspace(1, 1.999, 2000)
    for order, n in enumerate((16, 64, 256)):
        rho = numpy.array([radius(n)])
        best = optimal(rho[0])
        points = numpy.union1d(omega, [best])
        axes.plot(points, [contraction(rho, w)[0] for w in points], color=COLOURS[order], linestyle=LINES[order], linewidth=1.5,
                  label=f"n = {n}, cusp at {best:.4f}", zorder=2)
    measured = [(float(r["omega"]), float(r["contraction"])) for r in rows("commands/figures/lab_05_omegas.csv")]
    axes.plot(*zip(*measured[4::4]), MARKERS[1], color=COLOURS[1], markersize=4, markerfacecolor="white", zorder=3,
              label="measured, n = 64")
    axes.set(xlabel="ω", ylabel="factor per sweep", xlim=(1, 2), ylim=(0.65, 1.005))
    axes.legend(loc="lower left", fontsize=8.5)


@drawing("histories", height=3.1)
def histories(axes):
    """The relative residual after each sweep at n = 128, for four factors."""
    places = {"1": (1010, 1.0), "1.93": (820, 3e-5), "1.9525": (440, 1.2e-6), "1.955": (120, 4e-6)}
    for order, (omega, (sweeps, residuals)) in enumerate(series("commands/figures/lab_05_histories.csv").items()):
        axes.plot(sweeps, residuals, color=COLOURS[order], linestyle=LINES[order], linewidth=1.4)
        name = {"1": "ω = 1", "1.9525": "1.9525, the formula's"}.get(omega, omega)
        axes.text(*places[omega], name, color=COLOURS[order], fontsize=8.5)
    axes.axhline(1e-6, color="#777777", linewidth=0.8, linestyle=":")
    axes.set(xlabel="sweeps", ylabel="relative residual", yscale="log", xlim=(0, 1200), ylim=(5e-7, 60))


def gauss_seidel(n):
    """A red-black sweep with f = 0, as a function of u with its boundary."""
    i, j = numpy.indices((n + 2, n + 2))
    inside = (i > 0) & (i <= n) & (j > 0) & (j <= n)

    def sweep(u):
        for colour in (0, 1):
            mean = numpy.zeros_like(u)
            mean[1:-1, 1:-1] = (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]) / 4
            u = numpy.where(inside & ((i + j) % 2 == colour), mean, u)
        return u
    return sweep


@drawing("aitken", height=3.0)
def aitken(axes):
    """Errors of 1 − ρ: of the plain estimate, what its last change suggests, and of Aitken's limit, at n = 128."""
    n, stretch, exact = 128, 24, radius(128)
    u = numpy.zeros((n + 2, n + 2))
    u[1:-1, 1:-1] = 1 + numpy.random.default_rng(1).random((n, n))
    sweep, e, found = gauss_seidel(n), [], []
    for k in range(1, 31):
        for _ in range(stretch):
            before, u = numpy.linalg.norm(u), sweep(u)
        after = numpy.linalg.norm(u)
        e.append(numpy.sqrt(after / before))
        u /= after
        if k >= 3:
            change = e[-1] - e[-2]
            q = change / (e[-2] - e[-3])
            found.append((k * stretch, exact - e[-1], change, abs(exact - e[-1] - change * q / (1 - q))))
    sweeps, plain, changes, limits = numpy.array(found).T
    for order, (values, name, at) in enumerate(((plain, "error of the estimate", (330, 0.25)), (changes, "its last change", (540, 0.012)),
                                                (limits, "error of Aitken's limit", (395, 7e-4)))):
        axes.plot(sweeps, values / (1 - exact), color=COLOURS[order], linestyle=LINES[order], marker=MARKERS[order], markersize=3.5,
                  linewidth=1.2)
        axes.text(*at, name, color=COLOURS[order], fontsize=8.5)
    axes.axhline(1e-4, color="#777777", linewidth=0.8, linestyle=":")
    axes.set(xlabel="sweeps of power iteration", ylabel="relative to 1 − ρ", yscale="log", xlim=(50, 730))


@drawing("overlap", height=2.3)
def overlap(axes):
    """Host and device over time: with an idle device above, with a queue below."""
    bare(axes, (-2.7, 20), (-0.5, 7.4), equal=False)

    def lane(y, name, boxes):
        axes.text(-0.2, y + 0.4, name, ha="right", va="center", fontsize=8.5)
        for x, width, text, busy in boxes:
            cell(axes, x, y, "" if busy else text, COLOURS[5] if busy else PALE, width, 0.8, hatch="" if busy else "///")
            if busy:
                axes.text(x + width / 2, y + 0.38, text, ha="center", va="center", fontsize=8)
            elif text:
                axes.text(x + width / 2, y + 0.38, text, ha="center", va="center", fontsize=8,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})

    axes.text(-2.7, 6.9, "The host waits after each batch: the device is idle while the norm travels.", fontsize=8.5)
    lane(5.6, "host", [(0, 1, "1", True), (1, 5, "wait", False), (6, 1, "2", True), (7, 5, "wait", False), (12, 1, "3", True),
                       (13, 5, "wait", False)])
    lane(4.5, "device", [(0.8, 4, "batch 1", True), (4.8, 2, "idle", False), (6.8, 4, "batch 2", True),
                         (10.8, 2, "idle", False), (12.8, 4, "batch 3", True), (16.8, 1.2, "", False)])
    axes.text(-2.7, 3.2, "The host queues one more batch, and then waits for the event of the previous norm.", fontsize=8.5)
    lane(1.9, "host", [(0, 1, "1", True), (1, 1, "2", True), (2, 4, "wait for 1", False), (6, 1, "3", True), (7, 3, "wait for 2", False),
                       (10, 1, "4", True), (11, 3, "wait for 3", False), (14, 1, "5", True), (15, 3, "wait for 4", False)])
    lane(0.8, "device", [(0.8, 4, "batch 1", True), (4.8, 4, "batch 2", True), (8.8, 4, "batch 3", True),
                         (12.8, 4, "batch 4", True), (16.8, 1.2, "", True)])
    for end in (4.8, 8.8, 12.8):
        arrow(axes, (end, 1.62), (end + 1.2, 1.88), width=0.8)
    arrow(axes, (0, 0.2), (18.6, 0.2), INK)
    axes.text(18.7, 0.2, "time", va="center", fontsize=8.5)



@drawing("refinement", height=2.2)
def refinement(axes):
    """The loop of iterative refinement, with the precision of each step."""
    bare(axes, (-0.2, 20.4), (-1.4, 6.0), equal=False)
    boxes = [(0, "r = f − A u", "double", COLOURS[5]), (5.4, "round r to float", "", "#ffffff"), (10.8, "sweeps on\nA e = r from e = 0", "float", PALE),
             (16.2, "u ← u + e", "double", COLOURS[5])]
    for x, text, precision, colour in boxes:
        cell(axes, x, 2.4, text, colour, 4.1, 2.0, size=7.5)
        axes.text(x + 2.05, 4.75, precision, ha="center", fontsize=8.5)
    for x in (4.1, 9.5, 14.9):
        arrow(axes, (x, 3.4), (x + 1.3, 3.4))
    axes.plot([18.2, 18.2, 2.0], [2.4, 0.8, 0.8], "-", color=INK, linewidth=1)
    arrow(axes, (2.0, 0.8), (2.0, 2.4))
    axes.text(10.1, -0.1, "until r is small; each turn adds digits to u", ha="center", va="center", fontsize=8.5)
    axes.text(10.1, 1.25, "again", ha="center", fontsize=8)
