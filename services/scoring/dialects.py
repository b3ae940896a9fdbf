"""How the endpoints of the two agents like to be asked: learnt from what they refuse, and kept.

The words are those of agents/chat_wire.py; what differs is that the framework writes the request.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from services.agents.chat_wire import Dialect, features
from services.scoring.endpoints import RoleModel

# How often one question may be put differently.
MOST_WAYS = 5
_FIRST = Dialect(json="object")


@dataclass(frozen=True, slots=True)
class Way:
    """How one endpoint is asked; `streams`: it sends an answer in pieces when it is asked to."""

    dialect: Dialect = _FIRST
    streams: bool = True
    proved: frozenset[str] = frozenset()

    def body(self, *, temperature: float, max_tokens: int) -> dict[str, JsonValue]:
        """The options of a request, as they reach the wire."""
        found: dict[str, JsonValue] = {self.dialect.tokens: max_tokens}
        if self.dialect.json != "plain":
            found["response_format"] = {"type": "json_object"}
        if "temperature" not in self.dialect.dropped:
            found["temperature"] = temperature
        return found

    def after(self, refusal: Exception, body: Mapping[str, JsonValue]) -> "Way | None":
        """Another way to ask the same after that refusal; None when it is about something else."""
        from services.agents.model_failures import refused_parameter  # its client takes a second

        named = refused_parameter(refusal)
        if named is None:
            return None
        if named == "stream":
            return replace(self, streams=False) if self.streams else None
        dialect = self.dialect
        other = dialect.without(named, body) if named else dialect.simpler(body, self.proved)
        return replace(self, dialect=other) if other is not None else None

    def whole(self) -> "Way":
        """The same without pieces."""
        return replace(self, streams=False)


class Ways:
    """What is known of each endpoint's model. Safe to share between runs and threads."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Way] = {}
        self._lock = threading.Lock()

    def of(self, model: RoleModel) -> Way:
        """How it was asked last, when it took that."""
        with self._lock:
            return self._known.get((model.base_url, model.model), Way())

    def took(self, model: RoleModel, way: Way, body: Mapping[str, JsonValue]) -> None:
        """It answered what was asked so."""
        proved = way.proved | frozenset(features(body))
        with self._lock:
            self._known[model.base_url, model.model] = replace(way, proved=proved)
