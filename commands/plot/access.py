#!/usr/bin/env python3
"""access.py OUT.png [NAME=]ADDRESSES.csv[:KERNEL]...: the bytes that the 32 lanes of a warp request, request by request

The simulated GPU writes ADDRESSES.csv for SIMGPU_ADDRESSES. Each KERNEL gets a panel with the title NAME for its first
launch; without KERNEL, all kernels of the file get one. With {} in OUT, each panel becomes a separate picture, and NAME
replaces the {}. A row is a load or a store. It shows the 32-byte sectors that move, each lane's bytes in the lane's
colour, and bytes that no lane requested in grey. Shared memory shows its 32 banks. Repeated executions of one instruction
are drawn once, with their number.
"""

import re
import sys
from collections import namedtuple

import figure
import table
from figure import pyplot
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

LANES, SECTOR, WORD, BANKS = 32, 32, 4, 32
MOST_ROWS = 14  # per panel
MOST_REQUESTS = 1024  # the device records at most this many per launch
GAP = 0.35      # between non-adjacent sectors, in sectors
WASTE = "#cfcfcf"
CAPTION = ("One warp. A box is a sector of 32 bytes. A row of shared memory shows its 32 banks.\n"
           "Lanes: mean over these requests. The ladder's active lanes also include all other warps and arithmetic.")
LANE_COLOURS = pyplot.get_cmap("viridis").resampled(LANES)

INTEGERS = ("launch", "request", "instruction", "line", "bytes", "lane", "address")
TEXTS = ("kernel", "file", "operation", "space", "allocation", "parameter", "from_parameter", "wavefronts")
Lane = namedtuple("Lane", INTEGERS + TEXTS)
Request = namedtuple("Request", "kernel lanes")
Row = namedtuple("Row", "request label times")


def read(path):
    """Returns the launches in the file's order, each a list of Requests."""
    launches = {}
    for line, row in table.rows(path, Lane._fields, "SIMGPU_ADDRESSES", "the chosen warp touched no memory"):
        lane = Lane(*(integer(path, line, row, name) for name in INTEGERS), *(row[name] for name in TEXTS))
        requests = launches.setdefault(lane.launch, {})
        requests.setdefault(lane.request, Request(lane.kernel, [])).lanes.append(lane)
    return [list(requests.values()) for requests in launches.values()]


def integer(path, line, row, name):
    if not row[name].isdigit():
        figure.die(f"{path}:{line}: {name} = '{row[name]}': expected a number")
    return int(row[name])


def plain(kernel):
    return kernel.split("<")[0].split("::")[-1]


def kernels_of(launches):
    return list(dict.fromkeys(launch[0].kernel for launch in launches))


def first_launch(path, launches, kernel):
    for launch in launches:
        if kernel in (launch[0].kernel, plain(launch[0].kernel)):
            return launch
    return figure.die(f"{path}: no kernel '{kernel}': expected one of {', '.join(kernels_of(launches))}")


# The cost of a request.


def sectors(request):
    """Returns the numbers of the sectors, ascending. Accesses are aligned, so none extends over two sectors."""
    return sorted({lane.address // SECTOR for lane in request.lanes})


def used_bytes(request):
    return len({lane.address + byte for lane in request.lanes for byte in range(lane.bytes)})


def is_shared(request):
    return request.lanes[0].space == "shared"


# Names of arrays and elements.


def parameter_names(launch):
    """Returns the names of the kernel's parameters from its source, or {} if the source is not readable."""
    lane = launch[0].lanes[0]
    try:
        with open(lane.file, encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*|/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    except (OSError, UnicodeDecodeError):
        return {}
    found = re.search(r"__global__\b[^;{]*?\b" + re.escape(plain(lane.kernel)) + r"\s*\(([^)]*)\)", text)
    declared = found.group(1).split(",") if found else []
    names = {str(n): re.findall(r"\w+", text) for n, text in enumerate(declared, 1)}
    return {n: words[-1] for n, words in names.items() if words}


def array_name(lane, names):
    if lane.space == "shared":
        return "shared"
    return names.get(lane.parameter, f"parameter {lane.parameter}" if lane.parameter else f"array {lane.allocation}")


def distance(request, store, element):
    """Returns the elements from each lane's store to its load here if they are equal in all lanes, else None."""
    stored = {lane.lane: lane for lane in store.lanes}
    found = set()
    for lane in request.lanes:
        other = stored.get(lane.lane)
        if other is None or not lane.from_parameter or not other.from_parameter:
            return None
        found.add((int(lane.from_parameter) - int(other.from_parameter)) // element)
    return found.pop() if len(found) == 1 else None


def label(request, names, store, element):
    lane = request.lanes[0]
    name = array_name(lane, names)
    away = distance(request, store, element) if store else None
    if away is not None:
        name += "[k]" if away == 0 else f"[k {'+' if away > 0 else '−'} {abs(away)}]"
    return f"{lane.operation} {name}"


# Rows of a panel.


def pattern(row):
    """Returns the appearance of a row: one of several equal rows can represent all."""
    start = min(lane.address for lane in row.request.lanes) // SECTOR * SECTOR
    return row.label, tuple((lane.lane, lane.address - start, lane.bytes) for lane in row.request.lanes)


def merged(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    # The middle one is the least likely to be at a border.
    return [same[len(same) // 2]._replace(times=sum(row.times for row in same)) for same in groups.values()]


def rows_of(launch):
    names = parameter_names(launch)
    stores = {request.lanes[0].instruction: request for request in launch
              if request.lanes[0].operation == "store" and not is_shared(request)}
    element = min(lane.bytes for request in launch for lane in request.lanes)
    store = next(iter(stores.values())) if len(stores) == 1 else None
    rows = [Row(request, label(request, names, store, element), 1) for request in launch]
    rows = merged(rows, lambda row: row.request.lanes[0].instruction)
    return rows if len(rows) <= MOST_ROWS else merged(rows, pattern)


# Drawing. One unit of x is a sector, one of y a row.


def sector_places(request):
    """Returns {sector: x}. Lane 0 starts near x = 0, so that equal lanes of all rows line up."""
    touched = sectors(request)
    x = touched[0] - round(request.lanes[0].address / SECTOR)
    places = {}
    for n, sector in enumerate(touched):
        x += 0 if n == 0 else 1 if sector == touched[n - 1] + 1 else 1 + GAP
        places[sector] = x
    return places


def draw_sectors(axes, y, request):
    places = sector_places(request)
    fill(axes, [(x, y, 1, 1) for x in places.values()], facecolor=WASTE, edgecolor="none")
    pieces = [(lane, byte // SECTOR, byte % SECTOR) for lane in request.lanes
              for byte in range(lane.address, lane.address + lane.bytes, WORD)]
    fill(axes, [(places[sector] + at / SECTOR, y, min(lane.bytes, WORD) / SECTOR, 1) for lane, sector, at in pieces],
         facecolor=[LANE_COLOURS(lane.lane) for lane, _, _ in pieces], edgecolor="none")
    fill(axes, [(x, y, 1, 1) for x in places.values()], facecolor="none", edgecolor="white", linewidth=1)


def draw_banks(axes, y, request):
    """Stacks the words that one bank must deliver one after the other."""
    width = WORD / SECTOR
    banks = {}
    for lane in request.lanes:
        for word in range(lane.address // WORD, (lane.address + lane.bytes - 1) // WORD + 1):
            banks.setdefault(word % BANKS, {}).setdefault(word, lane.lane)
    deepest = max(len(words) for words in banks.values())
    fill(axes, [(0, y, BANKS * width, 1)], facecolor=WASTE, edgecolor="none")
    pieces = [(bank, level, lane) for bank, words in banks.items() for level, lane in enumerate(words.values())]
    fill(axes, [(bank * width, y + level / deepest, width, 1 / deepest) for bank, level, _ in pieces],
         facecolor=[LANE_COLOURS(lane) for _, _, lane in pieces], edgecolor="white", linewidth=0.3)


def fill(axes, rectangles, **style):
    """Draws rectangles (x, y, width, height) and leaves some space between rows."""
    used = 0.72
    corners = []
    for x, y, width, height in rectangles:
        low = int(y) + (1 - used) / 2 + (y - int(y)) * used
        corners.append([(x, low), (x + width, low), (x + width, low + height * used), (x, low + height * used)])
    axes.add_collection(PolyCollection(corners, **style))


def cost(request):
    if is_shared(request):
        wavefronts = int(request.lanes[0].wavefronts or 0)
        return f"{wavefronts} wavefront{'s' * (wavefronts != 1)}"
    count = len(sectors(request))
    return f"{count} sector{'s' * (count != 1)}, {used_bytes(request)} of {count * SECTOR} bytes"


def summary(launch):
    in_global = [request for request in launch if not is_shared(request)]
    moved = sum(len(sectors(request)) for request in in_global)
    if not moved:
        return "no access to global memory"
    used = sum(used_bytes(request) for request in in_global)
    active = sum(len(request.lanes) for request in in_global) / len(in_global)
    cut = f" (first {MOST_REQUESTS} requests)" if len(launch) >= MOST_REQUESTS else ""
    return (f"{active:.0f} of {LANES} lanes, {moved / len(in_global):.1f} sectors per request, "
            f"{used / moved:.0f} of {SECTOR} bytes used{cut}")


class Panel:
    def __init__(self, name, launch):
        self.name = name
        self.title = f"{name}: {summary(launch)}"
        rows = rows_of(launch)
        self.rows = rows[:MOST_ROWS]
        self.hidden = len(rows) - len(self.rows)

    def end(self):
        return max(BANKS * WORD / SECTOR if is_shared(row.request) else max(sector_places(row.request).values()) + 1
                   for row in self.rows)

    def draw(self, axes, end):
        for y, row in enumerate(self.rows):
            (draw_banks if is_shared(row.request) else draw_sectors)(axes, y, row.request)
            axes.text(end + 0.4, y + 0.5, cost(row.request), va="center", fontsize=8)
        if self.hidden:
            axes.text(0, len(self.rows) + 0.4, f"… and {self.hidden} more instructions", fontsize=8, va="center")
        axes.set_title(self.title, loc="left")
        axes.set(xlim=(-1.2, end), ylim=(len(self.rows), 0), xticks=[], yticks=[y + 0.5 for y in range(len(self.rows))])
        times = [f"{row.times} × " if row.times > 1 else "" for row in self.rows]
        labels = [text + row.label for text, row in zip(times, self.rows)]
        axes.set_yticklabels(labels, fontsize=8, family="monospace")
        axes.tick_params(length=0)
        axes.grid(False)
        for spine in axes.spines.values():
            spine.set_visible(False)


def draw_legend(drawing, left):
    inch = 1 / drawing.get_figheight()
    handles = [Patch(facecolor=LANE_COLOURS(lane), label=f"lane {lane}") for lane in (0, 8, 16, 24, 31)]
    handles.append(Patch(facecolor=WASTE, label="moved, but requested by no lane"))
    drawing.legend(handles=handles, loc="lower left", bbox_to_anchor=(left, 1 + 0.33 * inch), ncols=len(handles),
                   fontsize=8, handlelength=1.2, columnspacing=1.2, borderaxespad=0, borderpad=0)
    drawing.text(left, -0.3 * inch, CAPTION, fontsize=8, va="top")


def save(panels, path):
    heights = [len(panel.rows) + (2.6 if panel.hidden else 1.6) for panel in panels]
    end, left = max(panel.end() for panel in panels), 0.16
    drawing = pyplot.figure(figsize=(10, 0.235 * sum(heights)))
    cells = drawing.add_gridspec(len(panels), 1, height_ratios=heights, left=left, right=0.8, top=1, bottom=0, hspace=0.35)
    for cell, panel in zip(cells, panels):
        panel.draw(drawing.add_subplot(cell), end)
    draw_legend(drawing, left)
    figure.save(drawing, path)
    pyplot.close(drawing)


def panels_of(source):
    name, _, rest = source.rpartition("=")
    path, _, kernel = rest.partition(":")
    launches = read(path)
    kernels = [kernel] if kernel else kernels_of(launches)
    return [Panel(name or kernel, first_launch(path, launches, kernel)) for kernel in kernels]


def main():
    if len(sys.argv) < 3:
        figure.die("expected arguments: OUT.png [NAME=]ADDRESSES.csv[:KERNEL]...")
    target = sys.argv[1]
    panels = [panel for source in sys.argv[2:] for panel in panels_of(source)]
    if "{}" not in target:
        save(panels, target)
    else:
        for panel in panels:
            save([panel], target.replace("{}", panel.name.replace(" ", "_")))


if __name__ == "__main__":
    main()
