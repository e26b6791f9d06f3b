"""Reading the CSV files that the plot scripts draw; a bad file ends the script with one line."""

import csv
import math

import figure


def number(path, line, row, name, least):
    try:
        value = float(row[name])
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= least):
        expected = "a number" if least == -math.inf else f"a number from {least:g} on"
        figure.die(f"{path}:{line}: {name} = '{row[name]}': expected {expected}")
    return value


def read(path, numbers, texts, writer, may_lack=(), others=None):
    """Rows as {column: value}. numbers: {column: smallest value}; texts: columns; writer: what makes such files;
    may_lack: columns of numbers that may be empty, which gives None. others: where it is not None, the smallest value
    of all other columns, numbers that may be empty."""
    rows = []
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, restval="")
            missing = [name for name in (*numbers, *texts) if name not in (reader.fieldnames or [])]
            if missing:
                figure.die(f"{path}: no column '{missing[0]}': expected what {writer} writes")
            if others is not None:
                further = dict.fromkeys((reader.fieldnames or [])[len(numbers) + len(texts):], others)
                numbers, may_lack = numbers | further, (*may_lack, *further)
            for row in reader:
                values = {name: None if name in may_lack and not row[name]
                          else number(path, reader.line_num, row, name, least) for name, least in numbers.items()}
                rows.append(values | {name: row[name] for name in texts})
    except OSError as error:
        figure.die(f"{path}: cannot read: {error.strerror}")
    except (UnicodeDecodeError, csv.Error):
        figure.die(f"{path}: malformed: expected what {writer} writes")
    if not rows:
        figure.die(f"{path}: no rows: expected at least one")
    return rows
