"""Texts as vectors, from any endpoint that speaks OpenAI's embeddings."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

import httpx2
from pydantic import BaseModel, ConfigDict

from services.agents.chat_wire import MalformedError
from services.agents.model_failures import RequestSubject, failure, failures
from services.agents.openai_compatible import Endpoint
from services.core.lazy import import_later
from services.jobs.streams import StreamLine

if TYPE_CHECKING:
    import openai
else:
    openai = import_later("openai")

# Endpoints differ in how many texts they take at once; the smaller one is what all of them do.
_MANY, _FEW = 64, 10


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Row(_Loose):
    index: int
    embedding: tuple[float, ...]


class _Rows(_Loose):
    data: tuple[_Row, ...]


class OpenAIEmbeddings:
    """A query.embedding.Embedder behind an address. Safe to share between threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        """`endpoint.model` is the one that makes vectors."""
        self._asked = RequestSubject(
            f"{endpoint.host} {endpoint.model}",
            "embeddings",
            "LLM_BASE_URL and LLM_EMBEDDING_MODEL",
        )
        self._model = endpoint.model
        self._client = endpoint.client()
        self._at_once = _MANY
        self._learning = threading.Lock()

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def vectors(self, texts: Sequence[str], deadline_s: float) -> list[tuple[float, ...]]:
        """See Embedder. Raises: ProviderError."""
        ends_at = time.monotonic() + deadline_s
        found: list[tuple[float, ...]] = []
        while len(found) < len(texts):
            part = texts[len(found) : len(found) + self._at_once]
            try:
                found += self._some(part, ends_at)
            except openai.BadRequestError as error:
                if len(part) <= _FEW:
                    raise failure(error, self._asked) from None
                with self._learning:
                    self._at_once = _FEW
            except failures() as error:
                raise failure(error, self._asked) from None
        if len({len(one) for one in found}) > 1:
            raise self._asked.changed("the vectors are not of one length")
        return found

    def _some(self, texts: Sequence[str], ends_at: float) -> list[tuple[float, ...]]:
        left = max(0.05, ends_at - time.monotonic())

        def read() -> Generator[object]:
            # Plain numbers: the client's own method asks for an encoding few endpoints know.
            yield self._client.post(
                "/embeddings",
                cast_to=openai.types.CreateEmbeddingResponse,
                body={"model": self._model, "input": list(texts), "encoding_format": "float"},
                options={"timeout": httpx2.Timeout(left)},
            )

        (came,) = StreamLine(read).items(ends_at, None)
        if not isinstance(came, openai.types.CreateEmbeddingResponse):
            raise MalformedError("no JSON")
        rows = _Rows.model_validate(came.to_dict(warnings=False)).data
        placed = {row.index: row.embedding for row in rows}
        if sorted(placed) != list(range(len(texts))) or not all(map(_is_vector, placed.values())):
            raise MalformedError("not a vector a text")
        return [placed[at] for at in range(len(texts))]


def _is_vector(vector: Sequence[float]) -> bool:
    return all(map(math.isfinite, vector)) and any(vector)
