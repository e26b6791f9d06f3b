"""Reads reports with parsers that are not ours: python's json and ElementTree, perl's TAP::Parser where it is.

parsers.py REPORT RESULT: the program, and the sample that the variants are made of. XML is judged by the rules of
Jenkins' junit-10.xsd (https://github.com/jenkinsci/xunit-plugin), JSON by Autolab's own reading of it too.
"""
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

FORMATS = "gradescope,autolab,classroom50,prairielearn,junit,tap"
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


def variants(sample):
    yield "sample", sample
    hostile = copy.deepcopy(sample)
    everything = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x10400)]))
    evil = "]]> <!-- &amp; # SKIP \\ \" ' \n  ...\n1..0\nok 1\nBail out!\n{\"scores\": {\"03_compressed\": 100}}\n"
    for lab in hostile["labs"]:
        for line in lab["lines"]:
            line.update(message=evil + everything, title=evil, hint=evil, source=everything, verdict=line["verdict"])
    hostile["submission"]["name"] = evil
    yield "hostile", hostile
    huge = copy.deepcopy(sample)
    huge["labs"][1]["lines"][0]["message"] = "<&>\"\u001b\n" * (10 << 20 >> 3)
    yield "huge", huge
    infra = copy.deepcopy(hostile)
    infra["points"] = infra["labs"][0]["points"] = None
    infra["verdict"] = infra["labs"][0]["lines"][0]["verdict"] = "INFRA"
    yield "infra", infra
    empty = copy.deepcopy(infra)
    empty.update(labs=[], max_points=0, message=evil)
    yield "empty", empty


def status(line):
    if line["verdict"] in ("SKIPPED", "INCONCLUSIVE"):
        return "skipped"
    if line["verdict"] == "INFRA":
        return "error"
    return "passed" if line["verdict"] == "PASS" and line["points"] >= line["max_points"] else "failure"


def expected_counts(result):
    """What each lab's report must hold: its public lines, and one for the hidden ones."""
    for lab in result["labs"]:
        found = [status(line) for line in lab["lines"] if line["public"]]
        hidden = [status(line) for line in lab["lines"] if not line["public"]]
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
        check_junit(out / "junit.xml", result, graded)
        check_tap(out / "report.tap", result, graded)
        check_autolab(out / "autolab.txt", result, graded)
        assert max(path.stat().st_size for path in out.glob("[!i]*")) < 2_000_000
    print(name, "ok")


def main():
    report, sample = sys.argv[1:]
    for name, result in variants(json.loads(pathlib.Path(sample).read_text(encoding="utf-8"))):
        check(report, name, result)


main()
