"""CSV with a header, and JSON lines. Columns and keys may be named in any of the three languages."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence

from interviewer.domain import LANGUAGES, Language
from interviewer.importing.facts import column_of, frequency_of, level_of
from interviewer.importing.lines import Found, Item, Line, Unreadable, harmless

COLUMNS = "name one column `question`; `answer`, `title`, `level`, `frequency` and `language` are read too"


def read_table(rows: Sequence[Line], ending: str = ".csv") -> Found:
    """A table whose first row names its columns, with commas, semicolons or tabs between them."""
    header = next((row for row in rows if row.text.strip()), Line(1, ""))
    delimiter = "\t" if ending == ".tsv" else max(",;\t", key=header.text.count)
    reader = csv.reader((row.text + "\n" for row in rows), delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    items = []
    for start, cells in _records(reader):
        if columns is None:
            columns = _columns(start, cells)
        elif len(cells) > len(columns):
            raise Unreadable(
                start, f"{len(cells)} cells, the header has {len(columns)}", hint="quote cells with commas"
            )
        else:
            items.append(_item(start, dict(zip(columns, cells, strict=False))))
    return Found("CSV", tuple(items))


def _records(reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """(line on which it starts, cells) of each record that is not blank."""
    start = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise Unreadable(start, f"no CSV from here on: {error}", hint="close the quotes") from None
        if any(cell.strip() for cell in cells):
            yield start, cells
        start = getattr(reader, "line_num", start) + 1


def _columns(line: int, cells: Sequence[str]) -> list[str]:
    columns = [column_of(cell) or f"?{number}" for number, cell in enumerate(cells)]
    if "question" not in columns:
        raise Unreadable(line, f"no column holds the questions: {', '.join(cells)!r:.80}", hint=COLUMNS)
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise Unreadable(line, f"two columns hold the {twice}", hint=COLUMNS)
    return columns


def read_json_lines(rows: Sequence[Line]) -> Found:
    """One object a line: {"question": "...", "answer": "...", "level": "senior"}."""
    items = []
    for row in rows:
        if not row.text.strip():
            continue
        try:
            value = json.loads(row.text)
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise Unreadable(row.number, f"not JSON: {reason}", hint="one object a line") from None
        if not isinstance(value, dict):
            raise Unreadable(row.number, f"no object: {row.text.strip():.60}", hint="one object a line")
        cells: dict[str, str] = {}
        for key, cell in value.items():
            name = column_of(key)
            if name and cell is not None:
                if not isinstance(cell, str):
                    raise Unreadable(row.number, f"{key[:40]}: not a string: {cell!r:.60}", hint="quote it")
                cells[name] = cell
        if "question" not in cells:
            raise Unreadable(row.number, f"no key holds the question: {', '.join(value)!r:.80}", hint=COLUMNS)
        items.append(_item(row.number, cells))
    return Found("JSON lines", tuple(items))


def _item(line: int, cells: Mapping[str, str]) -> Item:
    said = {name: harmless(cell).strip() for name, cell in cells.items()}
    if not said.get("question"):
        raise Unreadable(line, "a row without a question", hint="fill the cell or delete the row")
    level, frequency, language = (said.get(name, "") for name in ("level", "frequency", "language"))
    if level and level_of(level) is None:
        raise Unreadable(line, f"no level '{level[:40]}'", hint="levels are junior, middle, senior")
    if frequency and frequency_of(frequency) is None:
        raise Unreadable(
            line, f"no frequency '{frequency[:40]}'", hint="write 'almost always', 'often' or leave it out"
        )
    return Item(
        line,
        " ".join(said["question"].split()),
        said.get("title", "")[:200],
        said.get("answer", ""),
        level_of(level),
        frequency_of(frequency),
        _language(line, language),
    )


def _language(line: int, name: str) -> Language | None:
    known = next((language for language in LANGUAGES if language == name.lower()[:2]), None)
    if name and known is None:
        raise Unreadable(line, f"no language '{name[:20]}'", hint=f"languages are {', '.join(LANGUAGES)}")
    return known
