"""Reads the CSV files that the plot scripts draw. A bad file ends the script with one line."""

import csv
import math

import figure


def number(path, line, row, name, least):
    try:
        value = float(row[name])
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= least):
        expected = "a number" if least == -math.inf else f"a number of at least {least:g}"
        figure.die(f"{path}:{line}: {name} = '{row[name]}': expected {expected}")
    return value


def rows(path, columns, writer, empty="expected at least one"):
    """Yields (line, {column: text}) for each row. columns: the columns that must exist; writer: the program that writes
    such files; empty: the meaning of a file without rows."""
    none = True
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, restval="")
            missing = [name for name in columns if name not in (reader.fieldnames or [])]
            if missing:
                figure.die(f"{path}: no column '{missing[0]}': expected the output of {writer}")
            for row in reader:
                none = False
                yield reader.line_num, row
    except OSError as error:
        figure.die(f"{path}: cannot read: {error.strerror}")
    except (UnicodeDecodeError, csv.Error):
        figure.die(f"{path}: malformed: expected the output of {writer}")
    if none:
        figure.die(f"{path}: no rows: {empty}")


def read(path, numbers, texts, writer, may_lack=(), others=None):
    """Returns rows as {column: value}. numbers: {column: smallest value}; texts: columns of text; writer: the program
    that writes such files; may_lack: columns of numbers that may be empty, then None. others: if not None, the smallest
    value of all other columns, which are numbers that may be empty."""
    found, known = [], {None, *numbers, *texts}  # None: the cells beyond the header
    for line, row in rows(path, (*numbers, *texts), writer):
        further = {} if others is None else {name: others for name in row if name not in known}
        values = {name: None if name in (*may_lack, *further) and not row[name] else number(path, line, row, name, least)
                  for name, least in (numbers | further).items()}
        found.append(values | {name: row[name] for name in texts})
    return found
