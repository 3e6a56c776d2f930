"""Config -> live objects. The only place that names adapters; each is imported when it is first needed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from interviewer.bank import Bank, load_bank
from interviewer.config import Config
from interviewer.errors import OperatorError
from interviewer.interview import Interviewer
from interviewer.judging.leak import LeakGate
from interviewer.phrasing import Phraser
from interviewer.ports import LLM, Embedder, Retriever, Sandbox, Store

if TYPE_CHECKING:
    from interviewer.adapters.vector_cache import CachedEmbedder
    from interviewer.judging.embedded import EmbeddedJudge
    from interviewer.sandbox import TorchSandbox

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, how many are done, how many there are)."""


@dataclass(frozen=True)
class Viva:
    """A running installation."""

    config: Config
    bank: Bank
    store: Store
    judge: EmbeddedJudge
    gate: LeakGate
    sandbox: Sandbox
    retriever: Retriever
    interviewer: Interviewer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, tb: object) -> None:
        self.close()

    def prepare(self, progress: Progress | None = None) -> None:
        """Read every rubric, so that no turn has to. Some seconds after a change of content; safe in a thread."""
        if not callable(getattr(self.judge, "read", None)):
            return  # a judge without rubrics to read
        for done, (question_id, rubric) in enumerate(self.bank.rubrics.items(), start=1):
            self.judge.read(self.bank.questions[question_id], rubric)
            if progress is not None:
                progress("rubrics", done, len(self.bank.rubrics))

    def close(self) -> None:
        """Stop the sandbox's processes and let go of the database."""
        for part in (self.sandbox, self.store):
            if callable(close := getattr(part, "close", None)):
                close()


def open_bank(config: Config) -> Bank:
    return load_bank(config.corpus, config.rubrics)


def open_store(config: Config) -> Store:
    from interviewer.adapters.sql_store import SqlStore

    return SqlStore(config.database_url)


def open_sandbox(config: Config) -> TorchSandbox:
    """The sandbox, not yet started."""
    from interviewer.sandbox import TorchSandbox

    return TorchSandbox(
        backend=config.backend,
        minimum_isolation=config.minimum_isolation,
        device=config.device,
        docker_image=config.docker_image,
    )


def open_encoder() -> Embedder:
    """The sentence encoder. Its weights load at the first text."""
    # An answer is a few dozen short spans: more threads than one cost more than they gain, and on a busy machine a lot.
    # Read when numpy is first imported, which is here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from interviewer.adapters.embedder import UseEmbedder

    return UseEmbedder()


def open_embedder(config: Config) -> CachedEmbedder:
    """The encoder, with a memory for the bank's own texts in the data folder."""
    encoder = open_encoder()
    from interviewer.adapters.vector_cache import CachedEmbedder

    return CachedEmbedder(encoder, config.data / "phrases")


def open_judge(embedder: CachedEmbedder) -> EmbeddedJudge:
    """The embedded judge. It reads a rubric when it first needs it, or earlier: see `Viva.prepare`."""
    from interviewer.judging.embedded import EmbeddedJudge

    return EmbeddedJudge(embedder, prepare=embedder.remember)


def open_retriever(config: Config, bank: Bank, embedder: Embedder, progress: Progress | None = None) -> Retriever:
    """The store of passages, built first where the content has changed."""
    from interviewer.adapters import chroma
    from interviewer.retrieval.documents import content_hash, documents
    from interviewer.retrieval.fusion import HybridRetriever

    passages = documents([(bank.questions[q], bank.rubrics[q]) for q in bank.questions], bank.exercises)
    version = content_hash(passages, embedder.name)
    report = _named(progress, "passages")
    if config.chroma_host:
        dense = chroma.build_or_open_on_server(
            passages, embedder, _address(config.chroma_host), version=version, progress=report
        )
    else:
        dense = chroma.build_or_open(passages, embedder, config.data / "chroma", version=version, progress=report)
    return HybridRetriever(passages, dense)


def _address(host_and_port: str) -> tuple[str, int]:
    host, _, port = host_and_port.partition(":")
    if not host or not (port or "8000").isdecimal():
        raise OperatorError(f"VIVA_CHROMA_HOST: '{host_and_port}' is no host:port", hint="for example localhost:8000")
    return host, int(port or 8000)


def open_llm(config: Config) -> LLM | None:
    """The phrasing model, where one is configured."""
    if not config.llm:
        return None
    from interviewer.adapters.chat_llm import ChatLLM

    return ChatLLM(
        base_url=config.openai_base_url or "https://api.openai.com/v1",
        api_key=config.openai_api_key.get_secret_value(),
        model=config.llm,
    )


def build(config: Config, progress: Progress | None = None, *, bank: Bank | None = None) -> Viva:
    """Everything the page and the terminal need. Reads and checks the content first, then builds what has changed."""
    bank = bank or open_bank(config)
    store = open_store(config)
    embedder = open_embedder(config)
    retriever = open_retriever(config, bank, embedder, progress)
    judge = open_judge(embedder)
    gate = LeakGate(judge.says)
    sandbox = open_sandbox(config)
    phraser = Phraser(gate, llm=open_llm(config), retriever=retriever, deadline=config.llm_deadline)
    interviewer = Interviewer(bank, store, judge, sandbox, gate, phraser)
    return Viva(config, bank, store, judge, gate, sandbox, retriever, interviewer)


def _named(progress: Progress | None, what: str) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, total: progress(what, done, total)
