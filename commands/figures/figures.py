#!/usr/bin/env python3
"""Draws the figures of the theory pages, labs/*/figures/*.svg, of the front page, docs/figures, and of commands/records. With
--check it reports which are not current."""

import glob
import importlib
import os
import re
import sys
import tempfile

import drawing
from figure import die


def scripts():
    """Yields the number of each lab, front or records, its script and its folder of figures."""
    for script in sorted(glob.glob(os.path.join(drawing.HERE, "lab_*.py"))):
        number = script[-5:-3]
        folders = glob.glob(os.path.join(drawing.ROOT, "labs", f"{number}_*"))
        if len(folders) != 1:
            die(f"{script}: no folder labs/{number}_*")
        yield number, script, os.path.join(folders[0], "figures")
    for name, folder in ("front", "docs"), ("records", "commands/records"):
        yield name, os.path.join(drawing.HERE, f"{name}.py"), os.path.join(drawing.ROOT, folder, "figures")


def names_of(script):
    drawing.drawings.clear()
    importlib.import_module(os.path.basename(script)[:-3])
    return list(drawing.drawings)


def draw(wanted):
    drawn = 0
    for number, script, folder in scripts():
        for name in names_of(script):
            if wanted and f"{number}/{name}" not in wanted and number not in wanted:
                continue
            os.makedirs(folder, exist_ok=True)
            print(os.path.relpath(drawing.save(name, folder, script), drawing.ROOT))
            drawn += 1
    if not drawn:
        die(f"{' '.join(wanted)}: no such figure; expected a lab, as 01, front, records, or a figure, as 01/NAME")


def creator(text):
    start = text.find("Matplotlib ")
    return text[start:start + 24].split("<")[0]


NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
NAME = re.compile(r"\b[a-z][0-9a-f]{10}\b")  # a checksum of coordinates: Matplotlib's name of a shape


def is_same(kept, drawn):
    """Processors round sines and exponentials differently, so coordinates may differ a little."""
    kept, drawn = (NAME.sub("#", text) for text in (kept, drawn))
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (kept, drawn)]
    return NUMBER.sub("#", kept) == NUMBER.sub("#", drawn) and all(abs(a - b) < 0.01 for a, b in zip(*numbers))


def faults_of(name, script, folder):
    """Why NAME.svg in the folder is not what the script draws now, or None."""
    path = os.path.join(folder, f"{name}.svg")
    if not os.path.isfile(path):
        return "missing"
    with open(path, encoding="utf-8") as file:
        kept = file.read()
    if drawing.stamp(script) not in kept:
        return "older than its script, style or data"
    with tempfile.TemporaryDirectory() as new:
        with open(drawing.save(name, new, script), encoding="utf-8") as file:
            drawn = file.read()
    if creator(drawn) == creator(kept) and not is_same(kept, drawn):
        return "not what its script draws"
    return None


def check():
    faults = 0
    for _, script, folder in scripts():
        names = names_of(script)
        lines = [(f"{name}.svg", faults_of(name, script, folder)) for name in names]
        extra = set(os.listdir(folder) if os.path.isdir(folder) else ()) - {f"{name}.svg" for name in names}
        lines += [(name, "drawn by no script") for name in sorted(extra)]
        for name, fault in lines:
            if fault:
                print(f"{os.path.relpath(folder, drawing.ROOT)}/{name}: {fault}; run ./kit figures")
                faults += 1
    return faults


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(1 if check() else 0)
    if any(word.startswith("-") for word in sys.argv[1:]):
        die(f"unknown option {sys.argv[1]}; expected --check, or names of figures")
    draw(sys.argv[1:])
