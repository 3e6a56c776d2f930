"""How long the index takes to build and open, how long a search takes, and how often it finds the right question.

python benchmarks/retrieval.py        JSON to stdout; the README quotes it
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

os.environ.setdefault("OPENBLAS_NUM_THREADS", str(min(2, os.cpu_count() or 1)))

from evals.case_files import read_queries
from evals.retrieval import measure
from interviewer.adapters.chroma import build_or_open
from interviewer.adapters.embedder import UseEmbedder
from interviewer.bank import load_bank
from interviewer.retrieval.documents import content_hash, documents
from interviewer.retrieval.fusion import HybridRetriever
from interviewer.retrieval.lexical import LexicalIndex

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Measure on a fresh index in a temporary folder."""
    bank = load_bank(ROOT / "corpus", ROOT / "rubrics")
    passages = documents([(bank.questions[i], bank.rubrics[i]) for i in bank.questions], bank.exercises)
    embedder = UseEmbedder()
    embedder.embed(["the weights load at the first text"])
    version = content_hash(passages, embedder.name)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        build_or_open(passages, embedder, Path(folder), version=version).close()
        built = time.perf_counter()
        dense = build_or_open(passages, embedder, Path(folder), version=version)
        opened = time.perf_counter()
        lexical = LexicalIndex(passages)
        indexed = time.perf_counter()
        queries = [query for query in read_queries() if query.question in bank.questions]
        hybrid = HybridRetriever(passages, dense)
        seconds = [_timed(hybrid, query.query) for query in queries]
        reports = {
            name: measure(r, queries) for name, r in (("dense", dense), ("lexical", lexical), ("hybrid", hybrid))
        }
        dense.close()
    figures = {
        "questions": len(bank.questions),
        "passages": len(passages),
        "build_s": round(built - started, 2),
        "open_s": round(opened - built, 2),
        "lexical_build_s": round(indexed - opened, 2),
        "search_ms": {"p50": round(1e3 * median(seconds), 1), "p95": round(1e3 * quantiles(seconds, n=20)[-1], 1)},
        "recall": {n: {g: r.model_dump() for g, r in report.groups.items()} for n, report in reports.items()},
    }
    json.dump(figures, sys.stdout, indent=2)
    print()


def _timed(retriever: HybridRetriever, query: str) -> float:
    started = time.perf_counter()
    retriever.search(query)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
