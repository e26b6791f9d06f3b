"""Reads reports with independent parsers: Python's json and ElementTree, and Perl's TAP::Parser if it is installed.

usage: test_report_parsers.py REPORT SAMPLE [RESULT...]: the program, a sample from which the test makes variants, and
results of real gradings. XML must follow Jenkins' junit-10.xsd (https://github.com/jenkinsci/xunit-plugin). JSON must
also be readable in Autolab's own way.
"""
import copy
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

FORMATS = "html,gradescope,autolab,classroom50,prairielearn,junit,tap"
# element: (attributes it must have, those it may have, children)
XSD = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors"}, {"skipped", "time"}, {"properties", "testcase"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "testcase": ({"name"}, {"classname", "time"}, {"failure", "error", "skipped"}),
    "failure": (set(), {"type", "message"}, set()),
    "error": (set(), {"type", "message"}, set()),
    "skipped": (set(), {"type", "message"}, set()),
}
TAP_READER = """use TAP::Parser; my $p = TAP::Parser->new({source => $ARGV[0]}); $p->run;
printf "%d %d %d %d %d %d\\n", scalar $p->parse_errors, $p->version, $p->tests_planned // -1,
  scalar $p->passed, scalar $p->failed, scalar $p->skipped;"""

CLOCKS = {"model": "model", "GPU": "measured"}

HTML_TAGS = set("""html head meta title style body header main h1 h2 h3 div span small p pre code b a table thead tbody tr th td section
    details summary figure figcaption footer svg rect polygon path text""".split())
HTML_ATTRIBUTES = set("""lang charset http-equiv content name class id href colspan scope open width height viewbox role aria-label
    preserveaspectratio x y rx fill opacity points d stroke stroke-width stroke-dasharray vector-effect text-anchor""".split())


def variants(sample):
    yield "sample", sample
    hostile = copy.deepcopy(sample)
    everything = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x10400)]))
    evil = "<script src='https://example.org/x.js'>alert(1)</script><img src=x onerror=alert(1)>\" onload=\"alert(1) '>"
    evil += "</pre></style></title>]]> <!-- &amp; # SKIP \\ \" ' \n  ...\n1..0\nok 1\nBail out!\n{\"scores\": {\"03_compressed\": 100}}\n"
    for lab in hostile["labs"]:
        for line in lab["items"]:
            line.update(message=evil + everything, title=evil, hint=evil, source=everything, verdict=line["verdict"])
    hostile["submission"]["name"] = evil
    kernel = hostile["labs"][1]["kernels"][0]
    kernel.update(kernel=evil, run=evil, file=evil)
    kernel["lines"] += [{"line": 80, "text": everything, "lanes": "0.1", "load_requests": -1e300}, 7, {"line": 73}, {}]
    for lanes in (evil, "", "0 " * 31, f"{1 << 62} " * 32, "-1 " * 32, "9 " * 40, "1e9 " * 32, None, [0]):
        kernel["accesses"] += [dict(kernel["accesses"][0], lanes=lanes), dict(kernel["accesses"][1], lanes=lanes, operation=evil)]
    kernel["accesses"] += [dict(kernel["accesses"][0], bytes=size) for size in (0, -4, 1 << 60, "4", 16)] + [None, {}]
    hostile["labs"][0]["kernels"] = {"kernel": []}
    rung = {"rung": evil, "lab": everything, "of_copy": 1e308, "reference": -1, "message": evil}
    rungs = [rung, 7, {}, dict(rung, of_copy="1", reference=[1]), dict(rung, of_copy=-1e308, reference=None, message=0)]
    hostile["ladders"] += [{"work": evil, "clock": evil, "bytes": 1e308, "rungs": rungs}, None, {"rungs": {"rung": 1}}]
    yield "hostile", hostile
    huge = copy.deepcopy(sample)
    huge["labs"][1]["items"][0]["message"] = "<&>\"\u001b\n" * (10 << 20 >> 3)
    yield "huge", huge
    infra = copy.deepcopy(hostile)
    infra["points"] = infra["labs"][0]["points"] = None
    infra["verdict"] = infra["labs"][0]["items"][0]["verdict"] = "INFRA"
    yield "infra", infra
    empty = copy.deepcopy(infra)
    empty.update(labs=[], max_points=0, message=evil)
    yield "empty", empty


def status(line):
    if line["verdict"] in ("SKIPPED", "INCONCLUSIVE"):
        return "skipped"
    if line["verdict"] == "INFRA":
        return "error"
    passed = line["verdict"] == "PASS" and line["points"] >= line["max_points"]
    return "passed" if passed else "skipped" if line.get("bonus") else "failure"


def expected_counts(result):
    """What each lab's report must hold: its public lines, and one for the hidden ones."""
    for lab in result["labs"]:
        found = [status(line) for line in lab["items"] if line["public"]]
        hidden = [status(line) for line in lab["items"] if not line["public"]]
        if hidden:
            found.append("failure" if "failure" in hidden else "passed")
        yield {kind: found.count(kind) for kind in ("passed", "failure", "skipped", "error")}


def check_element(element):
    must, may, children = XSD[element.tag]
    names = set(element.attrib)
    assert must <= names <= must | may, (element.tag, names)
    assert {child.tag for child in element} <= children, element.tag
    for child in element:
        check_element(child)


def check_junit(path, result, graded):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    check_element(root)
    for key, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert int(root.get(key)) == len(root.findall(f"testsuite/testcase/{tag}" if tag != "testcase" else
                                                      "testsuite/testcase")), key
    suites = root.findall("testsuite")
    if not graded:
        assert root.find("testsuite/testcase/error") is not None
        suites.pop()
    for suite, counts, lab in zip(suites, expected_counts(result), result["labs"], strict=True):
        assert len(suite.findall("testcase/failure")) == counts["failure"] == int(suite.get("failures"))
        assert len(suite.findall("testcase/error")) == counts["error"] == int(suite.get("errors"))
        assert len(suite.findall("testcase/skipped")) == counts["skipped"] == int(suite.get("skipped"))
        assert len(suite.findall("testcase")) == sum(counts.values()) == int(suite.get("tests"))
        points = {p.get("name"): p.get("value") for p in suite.findall("properties/property")}
        assert points["sha256"] == result["submission"]["sha256"] and points["isolation"] == "none"
        assert ("points" in points) == graded
        assert not graded or float(points["points"]) == lab["points"]


def check_tap(path, result, graded):
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "TAP version 13" and re.fullmatch(r"1\.\.[1-9][0-9]*", lines[1]), lines[:2]
    if not shutil.which("perl") or subprocess.run(["perl", "-MTAP::Parser", "-e1"], check=False).returncode != 0:
        print("perl's TAP::Parser not found: TAP is not read")
        return
    got = subprocess.run(["perl", "-e", TAP_READER, path], capture_output=True, text=True, check=False).stdout.split()
    counts = list(expected_counts(result))
    passed, failed, skipped = (sum(c[kind] for c in counts) for kind in ("passed", "failure", "skipped"))
    if graded:
        assert list(map(int, got)) == [0, 13, passed + failed + skipped, passed + skipped, failed, skipped], got
    else:
        assert sum(line.startswith("Bail out!") for line in lines) == 1
        assert not any(re.match(r"(not )?ok\b", line) for line in lines)


def check_autolab(path, result, graded):
    lines = path.read_text(encoding="utf-8").rstrip().split("\n")
    feedback = json.loads(lines[-2])
    assert feedback["_presentation"] == "semantic" and all(isinstance(feedback[s], dict) for s in feedback["stages"])
    autoresult = json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', lines[-1]))
    assert autoresult["scores"] == {lab["lab"]: lab["points"] if graded else None for lab in result["labs"]}


class Page(html.parser.HTMLParser):
    """Elements that are closed in order, known tags and attributes alone, links to places in the page alone."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.links, self.ids = [], [], [], []
        self.unnamed = False  # the last tag was a picture without alternative text

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert tag in HTML_TAGS and set(names) <= HTML_ATTRIBUTES and len(set(names)) == len(names), (tag, attrs)
        assert tag == "title" or not self.unnamed, "a picture without aria-label and title"
        self.unnamed = tag == "svg" and "aria-label" not in names
        assert tag != "svg" or "role" in names
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            if name == "href":
                self.links.append(value)
            elif name == "id":
                self.ids.append(value)
            elif name in ("class", "fill", "stroke", "points", "d"):
                assert re.fullmatch(r"[-a-zA-Z0-9 .,()#]*", value), (name, value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")


def check_html(path, result, graded):
    source = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(source)
    page.close()
    text = "".join(page.text)
    assert not page.open and source.count("<style>") == 1 and "url(" not in source and "@import" not in source
    assert all(link[0] == "#" and link[1:] in page.ids for link in page.links), page.links
    assert len(set(page.ids)) == len(page.ids)
    assert f"{result['points']:g} of {result['max_points']:g} points" in text if graded else "not graded" in text
    for lab in result["labs"]:
        assert lab["lab"] in text
        for line in lab["items"]:
            assert (line["id"] in text) == line["public"], line["id"]
    if graded:
        check_ladders(result, text)


def check_ladders(result, text):
    """Each by its clock, figures of the submission compared with the reference's, and why one is missing."""
    ladders = [ladder for ladder in result.get("ladders", []) if isinstance(ladder, dict) and ladder.get("clock") in CLOCKS]
    rest = text
    for ladder in ladders:
        head, label = ladder["work"], CLOCKS[ladder["clock"]]
        assert f"{head} {label}" in rest, (head, label)
        rest = rest[rest.index(f"{head} {label}"):]
        for rung in ladder["rungs"]:
            assert f"{rung['rung']} lab {rung['lab'][:2]}" in rest, rung
            rest = rest[rest.index(rung["rung"]):]
            row = rest[:rest.index("\n")]
            reached = f"{rung['of_copy']:.2f}" if "of_copy" in rung else "not yet" if "message" in rung else "–"
            assert row.endswith(reached + (f"{rung['reference']:.2f}" if "reference" in rung else "–")), (row, rung)
            assert rung.get("message", "") in row, rung


def check(report, name, result):
    graded = result["verdict"] != "INFRA"
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        (out / "in.json").write_text(json.dumps(result), encoding="utf-8")
        subprocess.run([report, "--result", out / "in.json", "--format", FORMATS, "--out", out], check=True)
        json.loads((out / "gradescope.json").read_text(encoding="utf-8"))
        json.loads((out / "prairielearn.json").read_text(encoding="utf-8"))
        assert (out / "prairielearn.json").stat().st_size <= 1_000_000
        assert (out / "classroom50.json").exists() == graded
        if graded:
            json.loads((out / "classroom50.json").read_text(encoding="utf-8"))
        check_html(out / "report.html", result, graded)
        check_junit(out / "junit.xml", result, graded)
        check_tap(out / "report.tap", result, graded)
        check_autolab(out / "autolab.txt", result, graded)
        assert max(path.stat().st_size for path in out.glob("[!i]*")) < 2_000_000
    print(name, "ok")


def main():
    report, sample, *others = sys.argv[1:]
    for name, result in variants(json.loads(pathlib.Path(sample).read_text(encoding="utf-8"))):
        check(report, name, result)
    for other in others:
        check(report, other, json.loads(pathlib.Path(other).read_text(encoding="utf-8")))


main()
