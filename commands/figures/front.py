"""The figure of the front page, on light and on dark paper: what a check says, and what a trace shows (front.csv)."""

import re

from drawing import bare, drawing, pyplot, rows

DATA = "commands/figures/front.csv"  # commands/tests/test_front writes it from what the kit prints
WIDTH, HEIGHT = 900, 428
MONO, CHARACTER = {"family": "DejaVu Sans Mono", "fontsize": 9}, 9 * 0.602 / 0.72  # 0.72 points are a unit of the sheet

LIGHT = {"paper": "#f6f8fa", "edge": "#d0d7de", "ink": "#1f2328", "soft": "#59636e", "wrong": "#d1242f", "mark": "#fff1b8",
         "active": "#0072B2", "idle": "#d5dbe1", "correct": "#c9d1d9", "waste": "#b35900"}
DARK = {"paper": "#151b23", "edge": "#3d444d", "ink": "#f0f6fc", "soft": "#9198a1", "wrong": "#ff7b72", "mark": "#5a4500",
        "active": "#56B4E9", "idle": "#323a45", "correct": "#3d444d", "waste": "#ffa657"}


class Sheet:
    """Axes in units of a hundredth of an inch, from the upper left corner, with the colours of one paper."""

    def __init__(self, axes, colours):
        self.axes, self.colours = axes, colours
        axes.set_position([0, 0, 1, 1])
        axes.figure.patch.set_alpha(0)
        bare(axes, (0, WIDTH), (HEIGHT, 0), equal=False)

    def text(self, x, y, text, colour="ink", **options):
        self.axes.text(x, y, text, color=self.colours[colour], **{"va": "center", **options})

    def box(self, x, y, width, height, colour, edge="none", round_by=0.0):
        style = f"round,pad=0,rounding_size={round_by}" if round_by else "square,pad=0"
        self.axes.add_patch(pyplot.matplotlib.patches.FancyBboxPatch(
            (x, y), width, height, boxstyle=style, facecolor=self.colours[colour], linewidth=0.8,
            edgecolor=self.colours.get(edge, "none")))

    def card(self, y, height, title, command):
        self.box(1, y, WIDTH - 2, height, "paper", "edge", 8)
        self.text(20, y + 23, title, fontsize=11, fontweight="bold")
        self.text(WIDTH - 20, y + 23, f"$ {command}".replace("$", r"\$"), "soft", ha="right", **MONO)


def draw_check(sheet, top):
    lines = [row["text"] for row in rows(DATA, part="check")]
    sheet.card(top, 172, "What is wrong", "./kit check 01/naive")
    name, points, verdict, rest = re.match(r"(\S+) +(\S+) +(\w+:)(.*)", lines[0]).groups()
    x, y = 20, top + 56
    for text, colour in ((f"{name}  {points}  ", "ink"), (verdict, "wrong"), (rest, "ink")):
        sheet.text(x, y, text, colour, **MONO)
        x += len(text) * CHARACTER
    sheet.text(20 + 2 * CHARACTER, y + 24, lines[1].strip(), **MONO)
    cause = lines[2].strip()
    sheet.box(20 + CHARACTER, y + 37, (len(cause) + 2) * CHARACTER, 24, "mark", round_by=4)
    sheet.text(20 + 2 * CHARACTER, y + 49, cause, fontweight="bold", **MONO)
    source = rows(DATA, part="source")[0]
    sheet.text(20 + 2 * CHARACTER, y + 90, f"stencil.cu:{source['line']}   ", "soft", **MONO)
    sheet.text(20 + 18 * CHARACTER, y + 90, source["text"], "wrong", **MONO)
    sheet.text(20 + (20 + len(source["text"])) * CHARACTER, y + 90, "the line that a student wrote", "soft", fontsize=9)
    points = [line.strip() for line in lines if re.fullmatch(r" +[.#]+", line)]
    for i, row in enumerate(points):
        for j, point in enumerate(row):
            sheet.box(WIDTH - 20 - 21 * (len(row) - j) + 2, y + 21 + 21 * i, 19, 19, "wrong" if point == "#" else "correct", round_by=3)
    sheet.text(WIDTH - 24 - 21 * len(points[0]), y + 52, "the wrong points", "soft", fontsize=9, ha="right")


def shown_steps():
    """Without the head of the kernel, steps of called functions that move nothing, calls, and earlier steps of the same line."""
    steps = rows(DATA, part="trace")[1:]
    called = [row["text"].startswith("(called") for row in steps] + [False]
    kept = [row for n, row in enumerate(steps) if row["requests"] != "0" or not (called[n] or called[n + 1])]
    return [row for row, following in zip(kept, kept[1:] + [{"line": ""}]) if row["line"] != following["line"]]


def draw_trace(sheet, top):
    """One row for each of the kernel's steps: its source line, the 32 lanes, and what they move."""
    steps = shown_steps()
    left, size, pitch = 20 + 61 * CHARACTER, 7.0, 8.2
    sheet.card(top, HEIGHT - top - 1, "What is wasted", "./kit trace 02/masked --nx 34")
    sheet.text(left, top + 50, "lane 0", "soft", fontsize=8)
    sheet.text(left + 32 * pitch, top + 50, "lane 31", "soft", fontsize=8, ha="right")
    sheet.text(left + 32 * pitch + 8, top + 50, "active", "soft", fontsize=8)
    sheet.text(WIDTH - 20, top + 50, "bytes used", "soft", fontsize=8, ha="right")
    for n, row in enumerate(steps):
        y = top + 70 + 27 * n
        text = re.sub(r"\(called from line \d+\) ", "", row["text"])
        text = text if len(text) <= 56 else text[:54].rstrip() + " …"
        sheet.text(20, y, row["line"], "soft", **MONO)
        sheet.text(20 + 4 * CHARACTER, y, text, **MONO)
        for lane, active in enumerate(row["lanes"]):
            sheet.box(left + pitch * lane, y - 9, size, 18, "active" if active == "#" else "idle", round_by=1.5)
        active = row["lanes"].count("#")
        look = {"fontsize": 9, "fontweight": "bold"} if active <= 16 else {"fontsize": 9}
        colour = "waste" if active <= 16 else "soft"
        sheet.text(left + 32 * pitch + 8, y, f"{active} / 32", colour, **look)
        if row["requests"] != "0":
            sheet.text(WIDTH - 20, y, f"{4 * active * int(row['requests'])} / {32 * int(row['sectors'])}", colour, ha="right", **look)
    active = [row["lanes"].count("#") for row in steps]
    used = 4 * sum(int(row["requests"]) * lanes for row, lanes in zip(steps, active))
    moved = 32 * sum(int(row["sectors"]) for row in steps)
    y = top + 70 + 27 * len(steps) + 4
    sheet.text(20, y, f"Half of the lanes idle where the work is done, and the warp uses {used} of the {moved} bytes that it moves.",
               "waste", fontsize=10, fontweight="bold")
    assert min(active) == 16 and 2 * used < moved, "front.csv: the figure says that half of the lanes are idle"


def draw_front(axes, colours):
    pyplot.rcParams["svg.fonttype"] = "path"  # fonts differ where a front page is read, and the columns must not
    sheet = Sheet(axes, colours)
    draw_check(sheet, 1)
    draw_trace(sheet, 187)


@drawing("front_light", WIDTH / 100, HEIGHT / 100)
def front_light(axes):
    draw_front(axes, LIGHT)


@drawing("front_dark", WIDTH / 100, HEIGHT / 100)
def front_dark(axes):
    draw_front(axes, DARK)
