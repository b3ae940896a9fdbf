"""A stored run done once more: the same work on the answers it had then.

No source is asked and nothing is stored. Where the work is the same, every claim and every cite is
the one that was stored; what differs is a change of the program, and is to be shown.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import NamedTuple

from pydantic import JsonValue

from services.core.clock import Clock
from services.core.errors import (
    ConfigError,
    NoDataError,
    NotCoveredError,
    YoujuError,
    provider_error,
)
from services.core.ledger import Answer, Fetcher, Ledger
from services.core.requests import FetchRequest
from services.core.text import Text
from services.core.trace import Attempt, ToolCall
from services.market.outages import nothing_said
from services.providers.chain import Chain
from services.settings import CROSS_CHECKED
from services.store.runs import Run, Runs, StoredRun
from services.tools.running import Runner

_NOT_ASKED = Text("原运行没有问过这一项", "the stored run did not ask for this")


class _Asked(NamedTuple):
    """What one asking brought: the calls of the answer, and those recorded beside it."""

    calls: tuple[ToolCall, ...]
    others: tuple[ToolCall, ...] = ()


class Recorded:
    """The answers of a stored run, by what was asked, in the order of asking. Safe to share."""

    def __init__(self, calls: Iterable[ToolCall], wanting: Mapping[str, str]) -> None:
        """`wanting` names, for a capability without a source, the variable that was not set."""
        self._wanting = wanting
        self._lock = Lock()
        self._found: dict[str, list[_Asked]] = {}
        groups: dict[str, list[list[ToolCall]]] = {}
        for call in calls:
            request = call.arguments.get("request")
            if isinstance(request, dict):
                _add(groups.setdefault(_key(request), []), call)
        for key, found in groups.items():
            self._found[key] = _askings(found)

    def fetch(self, request: FetchRequest) -> Answer:
        """What the run was told; of several times the next one, the last again and again."""
        asked = {"capability": request.capability}
        asked |= request.model_dump(mode="json", exclude_none=True)
        with self._lock:
            found = self._found.get(_key(asked))
            told = None if not found else found.pop(0) if len(found) > 1 else found[0]
        if told is None:
            return Answer((), error=NoDataError(request.capability, _NOT_ASKED))
        error = self._error(request, told.calls)
        if error is not None:
            return Answer((), (*told.others, *told.calls), error=error)
        return Answer(told.calls, told.others)

    def _error(self, request: FetchRequest, calls: Sequence[ToolCall]) -> YoujuError | None:
        """What was raised then, made again from the attempts; None where there was an answer."""
        attempts = calls[0].attempts
        if not attempts:
            if variable := self._wanting.get(request.capability):
                return ConfigError(
                    variable, f"not set; no source is configured for {request.capability}"
                )
            words = "no source covers this one"
            return NotCoveredError("chain", request.capability, words)
        return _make_error(attempts) if attempts[-1].error else None


class ReplayRunner(Runner):
    """Does the work of one stored run again, from its own record. Not for another run."""

    def __init__(
        self, chain: Chain, runs: Runs, clock: Clock, stored: StoredRun, wanting: Mapping[str, str]
    ) -> None:
        """`clock` stands at the run's own instant; `chain` and `runs` are never used."""
        super().__init__(chain, runs, clock)
        self._stored = stored
        self._record = Recorded(stored.calls, wanting)

    def _is_settled(self) -> bool:
        """Never: it is for one run."""
        return False

    def _run_id(self) -> str:
        return self._stored.run.run_id

    def _fetcher(self, kind: str, arguments: Mapping[str, JsonValue]) -> Fetcher:
        return self._record.fetch

    def _keep(self, run: Run, ledger: Ledger) -> None:
        """Nothing: it is stored already."""

    def _now(self, ledger: Ledger) -> datetime:
        return max([super()._now(ledger), *(one.fetched_at for one in self._stored.calls)])


def _key(request: Mapping[str, JsonValue]) -> str:
    return json.dumps(request, sort_keys=True, ensure_ascii=False)


def _add(groups: list[list[ToolCall]], call: ToolCall) -> None:
    """Calls of one asking have its attempts in common."""
    if groups and groups[-1][0].attempts == call.attempts:
        groups[-1].append(call)
    else:
        groups.append([call])


def _askings(groups: Sequence[Sequence[ToolCall]]) -> list[_Asked]:
    """What another source said to the same stands before the answer it was held against."""
    found: list[_Asked] = []
    beside: tuple[ToolCall, ...] = ()
    for place, group in enumerate(groups):
        following = groups[place + 1] if place + 1 < len(groups) else None
        if following is not None and _second(group, following):
            beside = (*beside, *group)
            continue
        found.append(_Asked(tuple(group), beside))
        beside = ()
    return found


def _second(group: Sequence[ToolCall], following: Sequence[ToolCall]) -> bool:
    """Whether it is what a second source said: it asks nobody the first had asked."""
    request = group[0].arguments.get("request")
    capability = request.get("capability") if isinstance(request, dict) else None
    if capability not in CROSS_CHECKED:
        return False
    first, second = _providers(following[0].attempts), _providers(group[0].attempts)
    return not first & second


def _providers(attempts: Sequence[Attempt]) -> set[str]:
    return {one.provider for one in attempts}


def _make_error(attempts: Sequence[Attempt]) -> YoujuError:
    """The error of the last attempt, with the words it had."""
    last = attempts[-1]
    said, provider, table = last.message or "", last.provider, last.table
    if last.error == NoDataError.__name__:
        what, _, why = said.partition(": ")
        return nothing_said(NoDataError(what, why), attempts)
    words = said.removeprefix(f"{provider} {table}: ")
    made = provider_error(last.error or "", provider, table, words, until=last.started_at)
    made.tried = tuple(dict.fromkeys(one.provider for one in attempts))
    return made
