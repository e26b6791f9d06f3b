"""Checks the pages of the labs, of instructor/, of docs/ and the front page: sections, figures, numbers, folded answers, links. test_theory runs it.

A number is checked by a comment after its paragraph, `<!-- check 1.9525 = 2 / (1 + sin(pi / 129)) -->`, or by several
such lines in one comment: the text as the page prints it, then a Python expression with the names of `math` and
csv("commands/ladder/reference.csv", column, key=value, ...), which reads a committed number. Text with % or a unit is
compared with its number alone: 97 % = 97. found("README.md", "took ([0-9]+) ms") is the number that another page prints, so
that two pages cannot disagree. Expressions with sweeps or cg solve a problem (solvers.py); without NumPy they are skipped.
"""

import csv as csv_format
import math
import os
import re

try:
    from solvers import NAMES as SOLVERS
except ImportError:  # no NumPy
    SOLVERS = {}

SECTIONS = ["Learning outcomes", "A worked example", "Exercises"]
WORDS_OF = {"README.md": (0, 1400), "THEORY.md": (800, 2000), "MORE.md": (0, 800)}  # the pages of a lab
MOST_NUMBERS = 6  # per 100 words
FEWEST_FIGURES, MOST_FIGURES = 3, 9
SHORT_WORDS = 900  # a theory page of so many words may have one figure
SHORTEST_ALTERNATIVE = 30

FENCE = re.compile(r"^( *)(```+|~~~+)")
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#*$")
FIGURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
IMAGE = re.compile(r'<img src="([^"]+)" alt="([^"]*)">')
PICTURE = re.compile(r"<picture>.*?</picture>", re.S)  # one figure for light and one for dark paper
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\\$])\$(?!\s)[^$]+?(?<!\\)\$", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
TAG = re.compile(r"</?[A-Za-z][^>]*>")
FOLDED_TAG = re.compile(r"</?(details|summary)>$")
OPENING = re.compile(r"^ *<details>\s*<summary>[^<]*[^<\s][^<]*</summary>$")
ANY_DETAILS = re.compile(r"</?(details|summary)\b")
EXERCISE = re.compile(r"^(\d+[.)] |#{3,} |\*\*(Exercise )?\d)")
NUMBER = re.compile(r"(?<![A-Za-z0-9_.])([-−+]?)(\d{1,3}(?:(?:,|\{,\}|\\,|\\ |[ \u00a0\u2009\u202f])\d{3})+(?!\d)|\d+)(\.\d+)?"
                    r"(?:e([-+]?\d+)|\s*(?:\\times|\\cdot|×|·)\s*10(?:\^\{?([-−]?\d+)\}?|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?")
POWER = re.compile(r"(?<![\d.])10(?:\^\{?([-−]?\d+)\}?|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))")
FRACTION = re.compile(r"\\frac\{(\d+)\}\{(\d+)\}|(?<![\d.])(\d+) ?/ ?(\d+)(?![\d.])")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def without_code(text):
    """The text with every character at its place, but without fenced, indented and inline code."""
    lines, fence, before_blank, in_code = [], None, True, False
    for line in text.split("\n"):
        match = FENCE.match(line)
        if fence:
            closes = match and match[2].startswith(fence) and line.strip() == match[2]
            fence = None if closes else fence
            lines.append(" " * len(line))
            continue
        if match:
            fence = match[2]
            lines.append(" " * len(line))
            continue
        in_code = line.startswith("    ") and (in_code or before_blank) and bool(line.strip()) and not ANY_DETAILS.search(line)
        before_blank = not line.strip() or (in_code and before_blank)
        lines.append(" " * len(line) if in_code else line)
    return re.sub(r"(`+)(?!`)[^`](?:.|\n(?!\n))*?(?<!`)\1(?!`)|`[^`\n]`", blank, "\n".join(lines))


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


class Page:
    def __init__(self, path, root):
        self.path, self.root, self.faults = path, root, []
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.bare = without_code(self.text)  # comments remain
        self.visible = COMMENT.sub(blank, self.bare)
        self.prose = FORMULA.sub(blank, self.visible)
        self.is_theory = os.path.basename(path) == "THEORY.md"
        self.of_lab = re.search(r"(^|/)labs/\d\d_\w+/[^/]*$", path) is not None

    def fault(self, line, what):
        self.faults.append(f"{os.path.relpath(self.path, self.root)}:{line}: {what}")

    def line_of(self, position):
        return self.text.count("\n", 0, position) + 1

    def headings(self):
        """(line, level, text) of each heading."""
        for number, line in enumerate(self.visible.split("\n"), 1):
            match = HEADING.match(line)
            if match:
                yield number, len(match[1]), HEADING.match(self.text.split("\n")[number - 1])[2]

    def anchors(self):
        seen = {}
        for _, _, text in self.headings():
            name = slug(text)
            seen[name] = seen.get(name, -1) + 1
            yield name if not seen[name] else f"{name}-{seen[name]}"


def check_sections(page):
    titles = [text for _, level, text in page.headings() if level == 2]
    for section in SECTIONS:
        if not any(title.startswith(section) for title in titles):
            page.fault(1, f"no section '## {section}'")


def count_words(text):
    """A word has a letter or a digit."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def words_shown(page):
    """Words of all that a reader sees: prose, tables, code and answers, without addresses of links and alternative texts."""
    text = FIGURE.sub(" ", re.sub(r"</?(?:details|summary)>", " ", COMMENT.sub(" ", page.text)))
    return count_words(re.sub(r"\]\([^)\s]+\)", "]", text))


def numbers_per_100_words(page):
    """Text full of numbers wants a table: counts in prose, without tables, headings, code and formulas between dollar signs.

    1,400 and 7.6e-4 are one number each; those of lists, labs, parts and years do not count.
    """
    lines = [re.sub(r"^ *\d+\. ", "", line) for line in page.prose.split("\n") if not line.lstrip().startswith(("|", "#"))]
    text = re.sub(r"\]\([^)\s]+\)", "]", TAG.sub(" ", FIGURE.sub(" ", "\n".join(lines))))
    text = re.sub(r"\b(1[89]|20)\d\d\b|\b[Ll]abs? 0\d( to 0\d)?|\b[Pp]arts? \d", "N", text)
    numbers = len(re.findall(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?(?:e[-−]?\d+)?", text))
    return 100 * numbers / max(1, count_words(text))


def check_load(page):
    """Pages of the labs that students read are short, and they tell more than they count."""
    least, most = WORDS_OF[os.path.basename(page.path)]
    words, numbers = words_shown(page), numbers_per_100_words(page)
    if not least <= words <= most:
        page.fault(1, f"{words} words; expected {least} to {most}")
    if numbers > MOST_NUMBERS:
        page.fault(1, f"{numbers:.1f} numbers per 100 words outside tables, code and formulas; expected at most {MOST_NUMBERS}")


def check_figures(page):
    figures = list(FIGURE.finditer(page.visible))
    fewest = 1 if words_shown(page) <= SHORT_WORDS else FEWEST_FIGURES
    if page.is_theory and not fewest <= len(figures) <= MOST_FIGURES:
        page.fault(1, f"{len(figures)} figures; expected {fewest} to {MOST_FIGURES}")
    shown = [(figure.start(), figure[1], figure[2]) for figure in figures]
    shown += [(figure.start(), figure[2], figure[1]) for figure in IMAGE.finditer(page.visible)]
    for start, text, path in shown:
        line, alternative = page.line_of(start), " ".join(text.split())
        if len(alternative) < SHORTEST_ALTERNATIVE:
            page.fault(line, f"{path}: the alternative text has {len(alternative)} characters; "
                             f"expected {SHORTEST_ALTERNATIVE} or more that say what the picture shows")
        if not os.path.isfile(os.path.join(os.path.dirname(page.path), path)):
            page.fault(line, f"{path}: no such file; ./kit figures draws the figures")


QUOTED = re.compile(r"^(.*\S) // (labs/\S+)$", re.M)


def check_quotes(page):
    """A line of code with the comment // labs/FILE is a line of that file."""
    for quote in QUOTED.finditer(page.text):
        path = os.path.join(page.root, quote[2])
        text = open(path, encoding="utf-8").read() if os.path.isfile(path) else ""
        if not any(line.strip() == quote[1].strip() for line in text.split("\n")):
            page.fault(page.line_of(quote.start()), f"'{quote[1].strip()}': expected a line of {quote[2]}")


def check_links(page, pages):
    for link in LINK.finditer(page.visible):
        line, (path, _, anchor) = page.line_of(link.start()), link[1].partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
        if not os.path.exists(target):
            page.fault(line, f"link to {link[1]}: no such file")
        elif anchor and target.endswith(".md"):
            known = pages.get(target) or Page(target, page.root)
            if anchor not in known.anchors():
                page.fault(line, f"link to {link[1]}: {os.path.basename(target)} has no heading with the anchor #{anchor}")


def check_folds(page):
    """GitHub and pandoc fold a text only if tags and text are separated by blank lines."""
    lines, opened = page.visible.split("\n"), None

    def is_blank(number):
        return not 0 < number <= len(lines) or not lines[number - 1].strip()

    for number, line in enumerate(lines, 1):
        if not ANY_DETAILS.search(line):
            continue
        if OPENING.match(line):
            if opened:
                page.fault(number, f"<details> inside the <details> of line {opened}: write </details> first")
            if not is_blank(number + 1):
                page.fault(number, "expected a blank line after </summary>")
            opened = number
        elif line.strip() == "</details>":
            if not opened:
                page.fault(number, "</details> without <details>")
            if not is_blank(number - 1):
                page.fault(number, "expected a blank line before </details>")
            if not is_blank(number + 1) and not OPENING.match(lines[number]):
                page.fault(number, "expected a blank line after </details>")
            opened = None
        else:
            page.fault(number, "expected <details><summary>Answer</summary>, or </details>, alone on its line")
    if opened:
        page.fault(opened, "<details> without </details>")


def check_html(page):
    for tag in TAG.finditer(PICTURE.sub(blank, page.prose)):
        if not FOLDED_TAG.match(tag.group()) and not re.match(r"<(https?|mailto):", tag.group()):
            page.fault(page.line_of(tag.start()), f"{tag.group()}: expected no HTML but details, summary and comments")


def check_exercises(page):
    """Each exercise, a numbered item or a heading in the section, has a folded answer."""
    section, exercise, exercises = False, None, 0
    for number, line in enumerate([*page.visible.split("\n"), "## end"], 1):
        if EXERCISE.match(line) or re.match(r"##? ", line):
            if section and exercise:
                page.fault(exercise, "exercise without a folded answer, <details><summary>Answer</summary>")
            exercise = None
        if re.match(r"##? ", line):
            section = line.startswith("## Exercises")
        elif section and EXERCISE.match(line):
            exercise, exercises = number, exercises + 1
        elif section and OPENING.match(line):
            exercise = None
    if not exercises:
        page.fault(1, "no exercise: expected numbered items or headings in the section '## Exercises'")


def printed_number(text):
    """(value, half of a unit of the last digit) of the first number of TEXT after its last = or ≈."""
    text = re.split(r"[=≈]|\\approx", text)[-1]
    fraction = FRACTION.search(text)
    if fraction:
        above, below = (int(part) for part in fraction.groups() if part)
        return above / below, 1e-9
    number, power = NUMBER.search(text), POWER.search(text)
    if power and (not number or power.start() <= number.start()):
        exponent = int((power[1] or power[2]).translate(SUPERSCRIPTS))
        return 10.0 ** exponent, 0.5 * 10.0 ** exponent
    if not number:
        return None
    digits = re.sub(r"\D", "", number[2]) + (number[3] or "")
    exponent = int(next((part for part in number.groups()[3:] if part), "0").translate(SUPERSCRIPTS))
    sign = "-" if number[1] in ("-", "−") else ""
    return float(f"{sign}{digits}e{exponent}"), 0.5 * 10.0 ** (exponent - len((number[3] or ".")[1:]))


def csv_reader(root):
    def read(path, column, **keys):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            rows = [row for row in csv_format.DictReader(file) if all(row[key] == str(value) for key, value in keys.items())]
        if len(rows) != 1:
            raise ValueError(f"{path}: {len(rows)} rows with {keys}; expected one")
        return float(rows[0][column])
    return read


def page_reader(root):
    def found(path, pattern):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            numbers = {match.replace(",", "") for match in re.findall(pattern, " ".join(file.read().split()))}
        if len(numbers) != 1:
            raise ValueError(f"{path}: {len(numbers)} different numbers for '{pattern}'; expected one")
        return float(numbers.pop())
    return found


def split_check(line):
    """(text, expression) of a line TEXT = EXPRESSION: the first = whose right side is an expression."""
    parts = line.split(" = ")
    for count in range(1, len(parts)):
        text, expression = " = ".join(parts[:count]), " = ".join(parts[count:])
        try:
            return text.strip(), compile(expression.strip(), "<check>", "eval")
        except SyntaxError:
            pass
    return None


def check_number(page, line, claim, shown):
    parts = split_check(claim)
    if not parts:
        page.fault(line, f"check {claim}: expected TEXT = EXPRESSION, with a Python expression")
        return
    text, expression = parts
    place = re.escape(" ".join(text.split()))
    before, after = (r"(?<![\d.])" if text[0].isdigit() else ""), (r"(?!\d|\.\d)" if text[-1].isdigit() else "")
    if not re.search(before + place + after, shown):
        page.fault(line, f"check {text}: the page does not contain this text")
    names = {**vars(math), "csv": csv_reader(page.root), "found": page_reader(page.root), **SOLVERS}
    if not SOLVERS and {"sweeps", "cg"} & set(expression.co_names):
        return
    try:
        value = float(eval(expression, names))  # the repository's own text
    except Exception as error:
        page.fault(line, f"check {claim}: {type(error).__name__}: {error}")
        return
    printed = printed_number(text)
    if printed is None:
        page.fault(line, f"check {text}: expected a number in the text")
    elif not abs(value - printed[0]) <= printed[1] * (1 + 1e-9) + 1e-12 * abs(value):
        page.fault(line, f"check {text}: the expression gives {value:.10g}")


def check_numbers(page):
    shown = " ".join(COMMENT.sub(" ", page.text).split())
    for comment in COMMENT.finditer(page.bare):
        inside = page.text[comment.start() + 4:comment.end() - 3]
        if not re.match(r"\s*check\b", inside):
            continue
        for offset, line in enumerate(inside.split("\n")):
            claim = re.sub(r"^check\b", "", line.strip()).strip()
            if claim:
                check_number(page, page.line_of(comment.start()) + offset, claim, shown)


def check_page(page, pages):
    for check in [check_figures, check_folds, check_html, check_numbers]:
        check(page)
    check_links(page, pages)
    check_quotes(page)
    if page.of_lab and os.path.basename(page.path) in WORDS_OF:
        check_load(page)
    if page.is_theory:
        for check in [check_sections, check_exercises]:
            check(page)


def unused_figures(folder, pages, root):
    """Figures of a lab with a theory page that none of the lab's pages shows."""
    figures = os.path.join(folder, "figures")
    if not os.path.isdir(figures) or not os.path.isfile(os.path.join(folder, "THEORY.md")):
        return []
    used = {os.path.normpath(os.path.join(os.path.dirname(page.path), figure[2]))
            for page in pages.values() for figure in FIGURE.finditer(page.visible)}
    paths = (os.path.join(figures, name) for name in sorted(os.listdir(figures)))
    return [f"{os.path.relpath(path, root)}:1: no page shows this figure" for path in paths if path not in used]


def pages_of(root):
    """The folders of labs, instructor and docs, and their pages and the front page by path."""
    tops = [os.path.join(root, name) for name in ("labs", "instructor", "docs") if os.path.isdir(os.path.join(root, name))]
    folders = [folder for top in tops for folder in (top, *(os.path.join(top, name) for name in sorted(os.listdir(top))))]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    front = [os.path.join(root, "README.md")] if os.path.isfile(os.path.join(root, "README.md")) else []
    paths = front + [os.path.join(folder, name) for folder in folders for name in sorted(os.listdir(folder)) if name.endswith(".md")]
    return folders, {path: Page(path, root) for path in paths}


def load_table(root):
    """Words, and numbers per 100 words, of each page of a lab."""
    lines = [f"{'page':36} words  numbers per 100 words"]
    sums = {}
    for page in pages_of(root)[1].values():
        if page.of_lab:
            folder, name = os.path.split(os.path.relpath(page.path, root))
            sums[folder] = sums.get(folder, 0) + words_shown(page)
            lines.append(f"{folder + '/' + name:36} {words_shown(page):5} {numbers_per_100_words(page):6.1f}")
    return lines + [f"{folder:36} {words:5}" for folder, words in sums.items()]


def faults_of(root, wanted=()):
    """The faults of the front page and of the pages in labs, instructor, docs and their folders, or of those whose path begins
    with one of WANTED."""
    folders, pages = pages_of(root)
    for page in pages.values():
        check_page(page, pages)
    faults = [fault for page in pages.values() for fault in page.faults]
    faults += [fault for folder in folders for fault in unused_figures(folder, pages, root)]
    return [fault for fault in faults if not wanted or fault.startswith(tuple(wanted))]
