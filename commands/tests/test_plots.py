#!/usr/bin/env python3
"""Tests the plot scripts: a picture for good input; one line, exit status 2 and no file for bad input."""

import contextlib
import importlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy
from PIL import Image

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "plot")
sys.path.insert(0, SCRIPTS)
import access  # noqa: E402  (the line above sets its folder)
import animation  # noqa: E402
import convergence  # noqa: E402
import figure  # noqa: E402
import grades  # noqa: E402
import ladder  # noqa: E402
import timing  # noqa: E402
from figure import pyplot  # noqa: E402

TABLE = "n,variant,kernel_ms,transfers_ms\n500,copy,0.2,\n500,naive,0.3,2.5\n600,copy,0.3,\n600,naive,0.4,2.6\n"
HEADER = ("launch,kernel,block,warp,request,instruction,file,line,operation,space,bytes,lane,address,allocation,offset,"
          "parameter,from_parameter,sectors,wavefronts\n")
BASE = 1 << 40


def global_rows(launch, request, operation, parameter, addresses, size=4):
    """Returns the device's rows for one request of `gs<float>`, lane by lane: addresses[lane], None if it is idle."""
    return "".join(
        f'{launch},"gs<float>",0x0x0,0,{request},{request},gs.cu,3,{operation},global,{size},{lane},{BASE + address},0,'
        f"{address},{parameter},{address},4,\n" for lane, address in enumerate(addresses) if address is not None)


def shared_rows(launch, request, offsets, wavefronts):
    return "".join(f'{launch},"gs<float>",0x0x0,0,{request},{request},gs.cu,4,load,shared,4,{lane},{offset},,{offset},,,,'
                   f"{wavefronts}\n" for lane, offset in enumerate(offsets))


LADDER = ("n,rung,active_lanes,bytes_per_sector,sectors_per_point,clock,fraction_of_copy,speedup\n"
          "4096,masked,0.5,15.4,1.56,model,0.37,1.0\n4096,split_float4,1.0,30.5,0.7,model,0.9,2.4\n")
EVERY_SECOND = [4096 + 4 * lane if lane % 2 else None for lane in range(32)]
ADDRESSES = (HEADER + global_rows(1, 1, "load", 1, [4088 + 4 * lane for lane in range(32)])
             + global_rows(1, 2, "load", 1, [4096 + 256 * lane for lane in range(32)], 8)
             + shared_rows(1, 3, [8 * lane for lane in range(32)], 2)
             + global_rows(1, 4, "store", 2, [4096 + 4 * lane for lane in range(32)])
             + global_rows(2, 1, "store", 1, EVERY_SECOND))

HISTORY = "method,iteration,relative_residual\njacobi,0,1\njacobi,20,0.01\ngs,0,1\ngs,10,0.008\n"


def run(script, *arguments):
    """Runs the script's main in this process, because starting Matplotlib for each run would take most of the time."""
    said = io.StringIO()
    with mock.patch.object(sys, "argv", [script, *arguments]), contextlib.redirect_stderr(said):
        try:
            importlib.import_module(script.removesuffix(".py")).main()
            status = 0
        except SystemExit as end:
            status = end.code
    pyplot.close("all")
    return subprocess.CompletedProcess(script, status, "", said.getvalue())


class Plots(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(directory.name)

    def scripts(self):
        for script in sorted(name for name in os.listdir(SCRIPTS) if name.endswith(".py")):
            if script not in ("figure.py", "table.py"):
                yield script

    def program_says(self, says, script, *options):
        result = subprocess.run([sys.executable, "-B", *options, os.path.join(SCRIPTS, script)], capture_output=True, text=True,
                                timeout=3000, check=False)
        self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
        self.assertIn(says, result.stderr)

    def test_programs(self):
        for script in self.scripts():
            self.program_says(f"{script}: expected ", script)

    def test_python_without_matplotlib(self):
        for script in self.scripts():
            self.program_says(" has no ", script, "-E", "-S")

    def draws(self, script, *arguments):
        result = run(script, *(arguments if "out.png" in arguments else (*arguments, "out.png")))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        with open("out.png", "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    @staticmethod
    def write(name, text):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)

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

    def test_animation(self):
        numpy.save("a.npy", numpy.random.default_rng(1).random((4, 5, 7), numpy.float32))
        numpy.save("b.npy", numpy.zeros((2, 5, 7)))
        for arguments, frames in ((["Jacobi=a.npy", "b.npy"], 4), (["b.npy"] * 5, 2)):
            result = run("animation.py", "out.gif", *arguments)
            self.assertEqual((result.returncode, result.stderr, sorted(os.listdir())), (0, "", ["a.npy", "b.npy", "out.gif"]))
            with Image.open("out.gif") as movie:
                self.assertEqual((movie.format, getattr(movie, "n_frames", 1) <= frames), ("GIF", True))
            os.remove("out.gif")

    def test_animation_shows_each_frame(self):
        frames = numpy.arange(3 * 3 * 3.0).reshape(3, 3, 3)
        drawing, show, count = animation.draw([("a", frames), ("short", frames[:2])])
        self.assertEqual(count, 3)
        show(2)
        images = [image for axes in drawing.axes for image in axes.images]
        self.assertEqual([image.get_array().max() for image in images], [26, 17])
        self.assertEqual({image.get_clim() for image in images}, {(0, 26)})
        self.assertEqual(animation.scale([("difference", numpy.array([[[-1.0, 3.0]]]))]), ("coolwarm", -3, 3))

    def test_bad_frames(self):
        numpy.save("flat.npy", numpy.zeros((5, 5)))
        numpy.save("none.npy", numpy.zeros((0, 5, 5)))
        numpy.save("good.npy", numpy.zeros((2, 5, 5)))
        for name in ("flat.npy", "none.npy", "missing.npy"):
            self.refuses(name, "animation.py", "out.gif", name)
        self.refuses("out.png: expected a name that ends in .gif", "animation.py", "out.png", "good.npy")
        self.refuses("no/out.gif", "animation.py", "no/out.gif", "good.npy")
        self.refuses("expected arguments", "animation.py", "out.gif")

    def test_timing(self):
        with open("t.csv", "w", encoding="utf-8") as file:
            file.write(TABLE)
        self.draws("timing.py", "t.csv")
        drawing, axes = pyplot.subplots()
        timing.draw(axes, timing.read("t.csv"), 1, "")
        drawing.canvas.draw()
        self.assertFalse(axes.get_legend().get_window_extent().overlaps(axes.get_window_extent()), "the legend may hide a curve")
        self.assertEqual(len({line.get_linestyle() for line in axes.get_lines()}), 2, "on grey paper the curves look alike")
        pyplot.close(drawing)

    def addresses(self, text=ADDRESSES):
        with open("a.csv", "w", encoding="utf-8") as file:
            file.write(text)
        return access.read("a.csv")

    def test_access(self):
        self.addresses()
        self.draws("access.py", "out.png", "a.csv")
        self.draws("access.py", "out.png", "one rung=a.csv:gs", "a.csv:gs<float>", "a.csv")
        os.remove("out.png")
        self.assertEqual(run("access.py", "of_{}.png", "one rung=a.csv", "two=a.csv:gs").returncode, 0)
        self.assertEqual(sorted(name for name in os.listdir() if name != "a.csv"), ["of_one_rung.png", "of_two.png"])

    def test_access_costs(self):
        first, second = self.addresses()
        costs = [access.cost(request) for request in first + second]
        self.assertEqual(costs, ["5 sectors, 128 of 160 bytes", "32 sectors, 256 of 1024 bytes", "2 wavefronts",
                                 "4 sectors, 128 of 128 bytes", "4 sectors, 64 of 128 bytes"])
        self.assertEqual(access.summary(first), "32 of 32 lanes, 13.7 sectors per request, 12 of 32 bytes used")
        self.assertEqual(access.summary(second), "16 of 32 lanes, 4.0 sectors per request, 16 of 32 bytes used")

    def test_access_labels(self):
        with open("gs.cu", "w", encoding="utf-8") as file:
            file.write("// __global__ void gs(int no)\ntemplate <typename T>\n__global__ void gs(const T *__restrict__ u, /* out, */ T *f) {\n")
        labels = [row.label for row in access.rows_of(self.addresses()[0])]
        self.assertEqual(labels, ["load u[k − 2]", "load u", "load shared", "store f[k]"])
        os.remove("gs.cu")
        self.assertEqual(access.rows_of(self.addresses()[1])[0].label, "store parameter 1[k]")

    def test_access_merges_executions(self):
        again = "".join(global_rows(1, request, "load", 1, [4096 + 512 * request + 4 * lane for lane in range(32)])
                        .replace(f",0,{request},{request},", f",0,{request},7,") for request in (1, 2, 3))
        rows = access.rows_of(self.addresses(HEADER + again)[0])
        self.assertEqual([row.times for row in rows], [3])
        self.assertEqual(rows[0].request.lanes[0].request, 2)

    def test_access_says_what_was_left_out(self):
        many = [access.Request("gs", self.addresses()[1][0].lanes)] * access.MOST_REQUESTS
        self.assertIn("(first 1024 requests)", access.summary(many))
        self.assertNotIn("first", access.summary(many[1:]))

    def test_bad_addresses(self):
        for name, text in (("column.csv", ADDRESSES.replace("lane,", "line,", 1)), ("empty.csv", HEADER),
                           ("number.csv", ADDRESSES.replace(",gs.cu,3,", ",gs.cu,x,", 1)), ("text.csv", "\xff\xfe")):
            with open(name, "w", encoding="latin-1") as file:
                file.write(text)
            self.refuses(name, "access.py", "out.png", name)
        self.addresses()
        self.refuses("no kernel 'cg': expected one of gs<float>", "access.py", "out.png", "a.csv", "rung=a.csv:cg")
        self.refuses("missing.csv", "access.py", "out.png", "missing.csv")
        self.refuses("expected arguments", "access.py", "out.png")

    def test_ladder(self):
        with open("l.csv", "w", encoding="utf-8") as file:
            file.write(LADDER)
        self.draws("ladder.py", "l.csv")
        self.write("first.csv", LADDER.replace(",1.0\n", ",\n"))  # without the speed-ups
        self.draws("ladder.py", "first.csv")

    def test_ladder_labels_cross_no_line(self):
        axes = pyplot.figure().add_subplot()
        rows = [{"rung": "a", "fraction_of_copy": 0.35, "speedup": 1}, {"rung": "b", "fraction_of_copy": 3, "speedup": None}]
        ladder.draw_speed(axes, ["a", "b"], {4096: rows})
        self.assertEqual([(text.get_text(), text.xy[0]) for text in axes.texts], [("0.35  (× 1.0)", 1), ("3.00", 3)])

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
        for name, text in (("number.csv", LADDER.replace("0.37", "nan")), ("column.csv", LADDER.replace("n,", "m,", 1)),
                           ("empty.csv", LADDER.splitlines()[0])):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            self.refuses(name, "ladder.py", name, "out.png")
        self.refuses("missing.csv", "timing.py", "missing.csv", "out.png")

    def test_convergence(self):
        with open("h.csv", "w", encoding="utf-8") as file:
            file.write(HISTORY)
        self.draws("convergence.py", "h.csv")
        self.assertEqual(run("convergence.py", "h.csv", "out.png", "1e-2").returncode, 0)
        os.remove("out.png")
        for level in ("small", "0", "nan", "1"):
            self.refuses(f"tolerance '{level}'", "convergence.py", "h.csv", "out.png", level)

    def test_convergence_counts_to_the_tolerance(self):
        history = [(0, 1), (1, 2e-6), (2, 9.9995e-7), (3, 5e-7)]
        self.assertEqual(convergence.said("cg", convergence.reached(history, 1e-6), 1e-6), "cg: 2 iterations to 1.0e-06")
        self.assertEqual(convergence.said("cg", convergence.reached(history, 1e-7), 1e-7), "cg: above 1.0e-07")

    def test_coinciding_histories_are_both_seen(self):
        axes = pyplot.figure().add_subplot()
        for order in range(10):
            convergence.draw(axes, order, str(order), [(0, 1), (1, 0.1)], 0.5)
        looks = {(line.get_marker(), str(line.get_markevery())) for line in axes.lines if len(line.get_xdata()) > 1}
        self.assertEqual(len(looks), 10)

    def test_the_mark_of_the_tolerance_is_on_the_curve(self):
        axes = pyplot.figure().add_subplot()
        convergence.draw(axes, 0, "cg", [(0, 1), (32, 0.1), (64, 0.004)], 0.05)
        self.assertEqual([tuple(line.get_xydata()[0]) for line in axes.lines if len(line.get_xdata()) == 1], [(64, 0.004)])

    def test_omegas(self):
        rows = "omega,optimal,sweeps,contraction,theory\n1,0,-1,0.99,0.99\n1.9,1,20,0.91,0.9\n1.95,0,30,0.951,0.95\n"
        self.write("o.csv", rows)
        for name, text in (("number.csv", rows.replace("0.951", "nan")), ("sweeps.csv", rows.replace("-1", "-2")),
                           ("column.csv", rows.replace("theory", "practice")), ("empty.csv", rows.splitlines()[0])):
            self.write(name, text)
            self.refuses(name, "omega.py", name, "out.png")
        self.draws("omega.py", "o.csv")

    def test_growth(self):
        rows = "n,method,omega,sweeps\n16,gs,1,400\n32,gs,1,1600\n16,sor,1.7,50\n32,sor,1.8,100\n"
        self.write("g.csv", rows)
        for name, text in (("number.csv", rows.replace("400", "many")), ("zero.csv", rows.replace("1600", "0")),
                           ("column.csv", rows.replace("method", "way"))):
            self.write(name, text)
            self.refuses(name, "growth.py", name, "out.png")
        self.refuses("missing.csv", "growth.py", "missing.csv", "out.png")
        self.draws("growth.py", "g.csv")

    def test_looks_differ(self):
        looks = [figure.look(order) for order in range(36)]
        self.assertEqual(len({(look["color"], str(look["linestyle"])) for look in looks}), 36)

    def test_growth_has_numbers_on_its_axes(self):
        self.write("g.csv", "n,method,sweeps\n16,CG,25\n128,CG,204\n")
        with mock.patch.object(figure, "save") as save:
            run("growth.py", "g.csv", "out.png")
        axes = save.call_args[0][0].axes[0]
        save.call_args[0][0].canvas.draw()
        least, most = axes.get_ylim()
        shown = [label.get_text() for place, label in zip(axes.get_yticks(), axes.get_yticklabels()) if least <= place <= most]
        self.assertEqual(shown, ["50", "100", "200"])

    def test_grades(self):
        rows = ("submission,sha256,verdict,reason,points,max_points,01_stencil,02_masked_redblack\n"
                '"a, ""b""",x,PASS,"",200,200,100,100\n"c",x,WRONG,"02_masked_redblack: a link",30.5,200,30.5,0\n'
                '"d",x,INFRA,"no nvcc",,0,,\n"e",x,MISSING,"a link",0,200,0,0\n')
        self.write("s.csv", rows)
        for name, text in (("number.csv", rows.replace("30.5", "half")), ("column.csv", rows.replace("verdict", "mark")),
                           ("lab.csv", rows.replace("30.5,0", "30.5,-1")), ("empty.csv", rows.splitlines()[0])):
            self.write(name, text)
            self.refuses(name, "grades.py", name, "out.png")
        self.draws("grades.py", "s.csv")
        self.write("one.csv", "submission,sha256,verdict,reason,points,max_points,03_compressed\n\"d\",x,INFRA,,,0,\n")
        self.draws("grades.py", "one.csv")
        self.assertEqual(run("grades.py", "s.csv", "out.svg").returncode, 0)

    def test_grades_above_the_maximum_are_no_lab(self):
        self.write("s.csv", "submission,sha256,verdict,reason,points,max_points,bonus,01_stencil,02_masked_redblack\n"
                            "a,x,PASS,,206,200,6,100,106\nb,x,PASS,,200,200,0,100,100\n")
        rows, labs = grades.read("s.csv")
        self.assertEqual(labs, ["01_stencil", "02_masked_redblack"])
        self.assertEqual(grades.lab_most(rows, labs[1], 100), 100)
        self.draws("grades.py", "s.csv")

    def test_grades_count_each_once(self):
        axes = pyplot.figure().add_subplot()
        grades.histogram(axes, [0, 9.99, 10, 95, 100, 100], 100, "", "#000000")
        self.assertEqual([bar.get_height() for bar in axes.patches], [2, 1, 0, 0, 0, 0, 0, 0, 0, 3])

    def test_grades_missing_is_not_0_points(self):
        def row(verdict, reason, *points):
            return {"submission": "", "verdict": verdict, "reason": reason, "points": sum(points), "max_points": 200,
                    "01_stencil": points[0], "03_compressed": points[1]}

        rows = [row("PASS", "", 100, 100), row("CRASH", "", 0, 0), row("MISSING", "a link", 0, 0),
                row("MISSING", "no file", 0, 0), row("WRONG", "03_compressed: not handed in", 50, 0)]
        drawing = grades.draw(rows, ["01_stencil", "03_compressed"])
        heights = [[bar.get_height() for bar in axes.patches] for axes in drawing.axes if axes.get_title("left") != "verdicts"]
        self.assertEqual(heights, [[1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2], [1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2],
                                   [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3]])
        bars = next(axes for axes in drawing.axes if axes.get_title("left") == "verdicts").patches
        colours = [bar.get_facecolor() for bar in bars]  # PASS, MISSING, CRASH, WRONG
        self.assertEqual(len(set(colours)), 4, "WRONG is any loss of points, but not a crash")

    def test_bad_histories(self):
        for name, text in (("number.csv", HISTORY.replace("0.01", "small")), ("nan.csv", HISTORY.replace("0.01", "nan")),
                           ("column.csv", HISTORY.replace("method,", "variant,", 1)),
                           ("empty.csv", HISTORY.splitlines()[0])):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            self.refuses(name, "convergence.py", name, "out.png")
        self.refuses("missing.csv", "convergence.py", "missing.csv", "out.png")

    def test_bad_output(self):
        numpy.save("u.npy", numpy.zeros((3, 3)))
        self.refuses("out.txt", "surface.py", "u.npy", "out.txt")
        self.refuses("no/out.png", "surface.py", "u.npy", "no/out.png")
        self.refuses("two arguments", "surface.py", "u.npy")


if __name__ == "__main__":
    unittest.main()
