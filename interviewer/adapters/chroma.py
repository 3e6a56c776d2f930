"""The embedded vector store: Chroma in a folder of its own, or a Chroma server by configuration.

An index is built in a fresh place and named ready last, so an interrupted build is never used. It is built again only
when its version (a hash of content and embedder) changes.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, cast

import chromadb
from chromadb.api import ClientAPI
from chromadb.api.client import Client
from chromadb.config import Settings
from chromadb.errors import ChromaError
from filelock import FileLock
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from interviewer.domain import Language, Passage, Slug
from interviewer.errors import OperatorError
from interviewer.ports import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[int, int], None]
"""Called with (passages done, passages in all)."""

BATCH = 128
EMBEDDING = 2
"""Threads that embed: two take 0.6 of the time of one on two cores."""
LOCK_SECONDS = 300
"""How long a second process waits for the first one's build."""
ABANDONED_SECONDS = 24 * 3600
"""Age at which an unfinished build on a server is taken for dead."""

_READY = "ready.json"
_COSINE = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 200}}


class ChromaIndex:
    """`ports.Retriever` by meaning alone, over one finished collection."""

    def __init__(self, client: ClientAPI, collection: str, embedder: Embedder) -> None:
        """Opens `collection`, creating it when it is not there; the embedder's vectors only, never Chroma's default."""
        self._client = client
        self._name = collection
        self._embedder = embedder
        self._chroma = Chroma(
            client=client,
            collection_name=collection,
            embedding_function=_AsLangChain(embedder),
            collection_configuration=_COSINE,  # type: ignore[arg-type]
        )

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        """See `ports.Retriever.search`. `score` is the cosine. Raises OperatorError when the store fails."""
        vector = self._embedder.embed([query])[0]
        if not vector.any():
            return ()
        with _explained("search"):
            found = self._chroma.similarity_search_by_vector_with_relevance_scores(
                vector.tolist(),
                k=k,
                filter=_filter(question=question, language=language),  # type: ignore[arg-type]
            )
        return tuple(
            Passage.model_validate(
                {**document.metadata, "id": document.id, "text": document.page_content, "score": 1.0 - distance}
            )
            for document, distance in found
        )

    def add(self, documents: Sequence[Passage], progress: Progress | None = None) -> None:
        """Embed and store `documents`, a batch at a time: the next ones are embedded while one is stored."""
        batches = [documents[start : start + BATCH] for start in range(0, len(documents), BATCH)]
        done = 0
        with ThreadPoolExecutor(max_workers=EMBEDDING, thread_name_prefix="embed") as pool:
            vectors = pool.map(lambda batch: self._embedder.embed([passage.text for passage in batch]), batches)
            for batch, rows in zip(batches, vectors, strict=True):
                self._store(batch, rows)
                done += len(batch)
                if progress is not None:
                    progress(done, len(documents))

    def _store(self, batch: Sequence[Passage], vectors: NDArray[np.float32]) -> None:
        """Through the collection itself: LangChain's own call would embed within the same step."""
        documents = [_to_langchain(passage) for passage in batch]
        with _explained("store passages"):
            self._client.get_collection(self._name, embedding_function=None).add(
                ids=[passage.id for passage in batch],
                embeddings=vectors,
                documents=[document.page_content for document in documents],
                metadatas=[document.metadata for document in documents],
            )

    def count(self) -> int:
        """Passages stored."""
        return len(self._chroma.get(include=[])["ids"])

    def close(self) -> None:
        """Let go of the store's files."""
        cast(Client, self._client).close()


def build_or_open(
    documents: Sequence[Passage], embedder: Embedder, folder: Path, *, version: str, progress: Progress | None = None
) -> ChromaIndex:
    """The index of `documents` in `folder`: opened when `version` is there, otherwise built and older ones removed.

    `version` is `retrieval.documents.content_hash`. Processes that start together build once: the others wait. Raises
    OperatorError when the folder cannot be used.
    """
    with _explained(f"use {folder}"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(folder / "lock", timeout=LOCK_SECONDS)
        lock.acquire()
    try:
        return _opened(documents, embedder, folder, version) or _built(documents, embedder, folder, version, progress)
    finally:
        lock.release()


def build_or_open_on_server(
    documents: Sequence[Passage],
    embedder: Embedder,
    address: tuple[str, int],
    *,
    version: str,
    progress: Progress | None = None,
) -> ChromaIndex:
    """The same on a Chroma server at (host, port). Other versions' finished indexes stay: someone may be using them."""
    host, port = address
    finished, building = f"viva-{version[:32]}", f"viva-building-{uuid.uuid4().hex}"
    with _explained(f"use the server at {host}:{port}"):
        client = chromadb.HttpClient(host=host, port=port, settings=Settings(anonymized_telemetry=False))
        _forget_abandoned(client)
        if finished in _names(client):
            return ChromaIndex(client, finished, embedder)
        collection = client.create_collection(
            building,
            embedding_function=None,
            metadata={"started": int(time.time())},
            configuration=_COSINE,  # type: ignore[arg-type]
        )
    ChromaIndex(client, building, embedder).add(documents, progress)
    with _explained("finish the index"):
        if finished in _names(client):  # another machine was quicker
            client.delete_collection(building)
        else:
            collection.modify(name=finished)
        return ChromaIndex(client, finished, embedder)


class _AsLangChain(Embeddings):
    """Our embedder as LangChain asks for one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self._embedder.embed(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def _to_langchain(passage: Passage) -> Document:
    metadata = {"question": passage.question, "kind": passage.kind, "language": passage.language}
    return Document(page_content=passage.text, metadata=metadata)


def _opened(documents: Sequence[Passage], embedder: Embedder, folder: Path, version: str) -> ChromaIndex | None:
    """The finished index of this version, or None when it is missing or damaged."""
    try:
        ready = json.loads((folder / _READY).read_text(encoding="utf-8"))
        if ready["version"] != version or not (folder / ready["place"] / "chroma.sqlite3").is_file():
            return None
        index = _in_folder(folder / ready["place"], embedder)
    except (OSError, ValueError, KeyError, TypeError, ChromaError):
        return None
    try:
        if index.count() == len(documents) and (not documents or index.search(documents[0].text, k=1)):
            return index
    except (ChromaError, OperatorError):
        pass
    index.close()
    return None


def _built(
    documents: Sequence[Passage], embedder: Embedder, folder: Path, version: str, progress: Progress | None
) -> ChromaIndex:
    place = f"{version[:16]}-{uuid.uuid4().hex[:8]}"
    index = _in_folder(folder / place, embedder)
    try:
        index.add(documents, progress)
    except BaseException:
        index.close()
        shutil.rmtree(folder / place, ignore_errors=True)
        raise
    draft = folder / f"{_READY}.draft"
    draft.write_text(json.dumps({"version": version, "place": place}), encoding="utf-8")
    draft.replace(folder / _READY)
    for other in folder.iterdir():
        if other.is_dir() and other.name != place:
            shutil.rmtree(other, ignore_errors=True)
    return index


def _in_folder(place: Path, embedder: Embedder) -> ChromaIndex:
    client = chromadb.PersistentClient(place, settings=Settings(anonymized_telemetry=False))
    return ChromaIndex(client, "bank", embedder)


def _names(client: ClientAPI) -> set[str]:
    return {collection.name for collection in client.list_collections()}


def _forget_abandoned(client: ClientAPI) -> None:
    for collection in client.list_collections():
        started = (collection.metadata or {}).get("started", 0)
        if collection.name.startswith("viva-building-") and time.time() - float(started) > ABANDONED_SECONDS:
            client.delete_collection(collection.name)


def _filter(**wanted: str | None) -> dict[str, object] | None:
    clauses: list[dict[str, object]] = [{key: value} for key, value in wanted.items() if value is not None]
    if len(clauses) > 1:
        return {"$and": clauses}
    return clauses[0] if clauses else None


@contextlib.contextmanager
def _explained(doing: str) -> Iterator[None]:
    try:
        yield
    except (ChromaError, OSError, ValueError) as error:  # a missing server is a ValueError, a locked folder an OSError
        raise OperatorError(
            f"the vector store cannot {doing}: {error}",
            hint="check that the folder can be written to or that the server answers; the index holds nothing of its "
            "own, so its folder may be deleted: it is built again from the bank",
        ) from error
