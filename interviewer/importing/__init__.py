"""Other people's question lists -> drafts.

    lines.py    bytes -> clean numbered lines, or a refusal that names the line
    facts.py    words of three languages: levels, how often asked, column names, markers of questions and answers
    lists.py    numbered and bulleted lists, outlines of "term: what to explain"
    pairs.py    question / answer in turns, Markdown headings with an answer below
    tables.py   CSV and JSON lines
    claims.py   an accepted answer -> its claims, with ids and weights
    drafting.py items -> drafts; known.py: which of them the bank has; folder.py: drafts -> a folder, whole or not

All of it is hostile: sizes are capped, and what a file says is data, never markup, a formula or YAML.
"""

from __future__ import annotations

from pathlib import PurePath

from interviewer.domain import Language
from interviewer.importing import lists, pairs, tables
from interviewer.importing.lines import Found, Line, Unreadable, lines_of


def read_questions(name: str, raw: bytes, language: Language | None = None) -> Found:
    """The questions of a file called `name`, by its ending and its content.

    `language`: of all of them; None looks at each one's script. Unreadable names the line that was not understood.
    """
    rows = lines_of(name, raw)
    ending = PurePath(name).suffix.lower()
    found = tables.read_table(rows, ending) if ending in (".csv", ".tsv") else _read_text(rows, ending)
    if not found.items:
        first = next((row for row in rows if row.text.strip()), Line(1, ""))
        raise Unreadable(first.number, f"no question is found from here on: {first.text.strip()!r:.80}")
    return found.checked(language)


def _read_text(rows: tuple[Line, ...], ending: str) -> Found:
    first = next((row.text.lstrip() for row in rows if row.text.strip()), "")
    if ending in (".jsonl", ".ndjson", ".json") or first.startswith('{"'):
        return tables.read_json_lines(rows)
    for recognised, read in (
        (pairs.has_pairs, pairs.read_pairs),
        (pairs.has_question_headings, pairs.read_headings),
        (lists.has_outline, lists.read_outline),
    ):
        if recognised(rows):
            return read(rows)
    return lists.read_list(rows)
