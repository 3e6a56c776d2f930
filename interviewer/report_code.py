"""What a report says about code beside its checks: forbidden built-ins in it, and runs of a question's snippet."""

from __future__ import annotations

import html

from interviewer.domain import SandboxResult
from interviewer.labels import Labels
from interviewer.report import SnippetRow


def findings(result: SandboxResult, words: Labels) -> list[str]:
    """Each forbidden built-in that the code uses, with its place."""
    return [
        (words.finding if found.line else words.finding_nowhere).format(
            name=found.name, line=found.line, how=words.how.get(found.how, found.how)
        )
        for found in result.findings
    ]


def tried(run: SnippetRow, words: Labels) -> list[tuple[str, str]]:
    """A run of a snippet: what was said of it, what was changed, what came of it; each with its name."""
    result = run.result
    why = "" if result.verdict == "passed" or result.raised else words.reason.get(result.reason, result.message)
    rows = (
        (words.predicted, run.predicted),
        (words.change, run.change),
        (words.printed, result.stdout),
        (words.value, result.value),
        (words.raised, result.raised),
        (words.verdict[result.verdict], why),
    )
    return [(name, text.strip("\n")) for name, text in rows if text.strip()]


def findings_html(result: SandboxResult, words: Labels) -> str:
    """Forbidden built-ins that the code uses, for whoever talks about it; empty where there are none."""
    e = html.escape
    if not result.findings:
        return ""
    rows = "".join(f"<li>{e(line)}</li>" for line in findings(result, words))
    return f"<h4>{e(words.findings)}</h4><ul>{rows}</ul><p class=soft>{e(words.findings_note)}</p>"


def snippet_html(run: SnippetRow, words: Labels) -> str:
    """One run of a snippet."""
    e = html.escape
    rows = "".join(f"<dt>{e(name)}</dt><dd><pre>{e(text)}</pre></dd>" for name, text in tried(run, words))
    return f"<h4>{e(words.snippet)}</h4><dl class=tried>{rows}</dl>"
