#!/usr/bin/env python3
"""The plot scripts as programs: a picture for good input; one line, exit status 2 and no file for bad input."""

import os
import subprocess
import sys
import tempfile
import unittest

import numpy

SCRIPTS = os.path.dirname(os.path.abspath(__file__))
TABLE = "n,variant,kernel_ms,transfers_ms\n500,copy,0.2,\n500,naive,0.3,2.5\n600,copy,0.3,\n600,naive,0.4,2.6\n"


def run(script, *arguments):
    return subprocess.run([sys.executable, "-B", os.path.join(SCRIPTS, script), *arguments],
                          capture_output=True, text=True, timeout=120, check=False)


class Plots(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(directory.name)

    def draws(self, script, source):
        result = run(script, source, "out.png")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        with open("out.png", "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def refuses(self, says, script, *arguments):
        result = run(script, *arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(says, result.stderr)
        self.assertEqual([name for name in os.listdir() if name.endswith(".png")], [])

    def test_surface(self):
        numpy.save("u.npy", numpy.outer(numpy.arange(5), numpy.arange(9)) / 7)
        self.draws("surface.py", "u.npy")

    def test_constant_surface(self):
        numpy.save("u.npy", numpy.zeros((3, 3), numpy.float32))
        self.draws("surface.py", "u.npy")

    def test_timing(self):
        with open("t.csv", "w", encoding="utf-8") as file:
            file.write(TABLE)
        self.draws("timing.py", "t.csv")

    def test_bad_arrays(self):
        numpy.save("line.npy", numpy.zeros(9))
        numpy.save("whole.npy", numpy.zeros((5, 5), int))
        numpy.save("nan.npy", numpy.full((5, 5), numpy.nan))
        with open("text.npy", "w", encoding="utf-8") as file:
            file.write("not an array\n")
        for name in ("line.npy", "whole.npy", "nan.npy", "text.npy", "missing.npy"):
            self.refuses(name, "surface.py", name, "out.png")

    def test_bad_tables(self):
        for name, text in (("number.csv", TABLE.replace("2.5", "two")), ("column.csv", TABLE.replace("n,", "m,", 1)),
                           ("empty.csv", TABLE.splitlines()[0])):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            self.refuses(name, "timing.py", name, "out.png")
        self.refuses("missing.csv", "timing.py", "missing.csv", "out.png")

    def test_bad_output(self):
        numpy.save("u.npy", numpy.zeros((3, 3)))
        self.refuses("out.txt", "surface.py", "u.npy", "out.txt")
        self.refuses("no/out.png", "surface.py", "u.npy", "no/out.png")
        self.refuses("two arguments", "surface.py", "u.npy")


if __name__ == "__main__":
    unittest.main()
