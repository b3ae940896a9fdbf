"""运行状态: how this process and the store are doing, for an admin. Bookkeeping: no figure of it is
of a market, and none is a claim.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from weakref import WeakKeyDictionary

from services.core.identity import require_admin
from services.core.text import Text
from services.jobs.queue import UnderWay
from services.market.source_names import source_name
from services.sight import SeenPiece
from services.store.database import Database
from services.store.schedules import Schedule, end_schedule, list_schedules
from services.store.status import StoreStatus, read_status
from services.views.parts import Parts
from services.views.run_words import kind_words
from services.views.source_words import ERRORS
from services.views.sources import source_states
from services.views.view import SourceState

_SLOWEST, _ERRORS = 10, 20
# What somebody waits for; tools and sources are part of these.
_WAITED_FOR = frozenset({"page", "question", "job"})
# That there is nothing is an answer, not a failure.
_ANSWERED = frozenset({"ok", "NoDataError"})
_OUTCOMES: Mapping[str, Text] = {
    **ERRORS,
    "ok": Text("正常", "ok"),
    "InputError": Text("写法不符", "not valid"),
    "NotAllowedError": Text("不允许", "not allowed"),
    "NotVerifiedError": Text("未通过核对", "not verified"),
    "ConfigError": Text("没有配置", "not set up"),
}
_ASKED: Mapping[str, Text] = {
    "asked": Text("提问", "asked"),
    "edited": Text("改问法", "edited"),
    "changed": Text("改理解", "reading changed"),
}


@dataclass(frozen=True, slots=True)
class Timings:
    """The pieces of one name: how many, the median and the longest in seconds, how many failed."""

    piece: str
    name: str
    count: int
    median_s: float
    longest_s: float
    failed: int


@dataclass(frozen=True, slots=True)
class StatusView:
    """All of it. `sessions` have a browser at this process; `since` is when the oldest piece of
    `courses`, `slowest` and `errors` ended, null before the first. `grown` is how many bytes the
    store has grown by since this process was first asked, by what takes them.
    """

    sessions: int
    jobs: UnderWay
    store: StoreStatus
    first_asked_at: datetime
    grown: Mapping[str, int]
    sources: tuple[SourceState, ...]
    since: datetime | None
    courses: tuple[Timings, ...]
    slowest: tuple[SeenPiece, ...]
    errors: tuple[SeenPiece, ...]
    schedules: tuple[Schedule, ...]


# When each open store was first asked for its size, and what it was.
_first: WeakKeyDictionary[Database, tuple[datetime, Mapping[str, int]]] = WeakKeyDictionary()


def build(parts: Parts, seen: Sequence[SeenPiece], sessions: int) -> StatusView:
    """The view. Raises: NotAllowedError for everybody but an admin."""
    require_admin()
    store = read_status(parts.database)
    asked, before = _first.setdefault(parts.database, (parts.real.now(), store.sizes))
    waited = [one for one in seen if one.piece in _WAITED_FOR]
    failed = [one for one in seen if one.outcome not in _ANSWERED]
    return StatusView(
        sessions=sessions,
        jobs=parts.jobs.under_way(),
        store=store,
        first_asked_at=asked,
        grown={name: size - before.get(name, 0) for name, size in store.sizes.items()},
        sources=source_states(parts.settings, parts.chain),
        since=min((one.at for one in seen), default=None),
        courses=_courses(seen),
        slowest=tuple(sorted(waited, key=lambda one: -one.seconds)[:_SLOWEST]),
        errors=tuple(reversed(failed[-_ERRORS:])),
        schedules=list_schedules(parts.database),
    )


def outcome_words(outcome: str) -> Text | None:
    """How a piece of work ended; None for a fault, which has no words but its class."""
    return _OUTCOMES.get(outcome)


def name_words(piece: str, name: str) -> Text | None:
    """What a source, a kind of job or what became of a question is called; None for the others."""
    if piece == "source":
        return source_name(name)
    return kind_words(name) if piece == "job" else _ASKED.get(name)


def end(parts: Parts, schedule_id: str) -> None:
    """End anybody's scheduled report. Raises: NotAllowedError for everybody but an admin."""
    end_schedule(parts.database, schedule_id)


def _courses(seen: Sequence[SeenPiece]) -> tuple[Timings, ...]:
    grouped: dict[tuple[str, str], list[SeenPiece]] = defaultdict(list)
    for one in seen:
        grouped[one.piece, one.name].append(one)
    made: list[Timings] = []
    for (piece, name), pieces in sorted(grouped.items()):
        times = sorted(one.seconds for one in pieces)
        failed = sum(one.outcome not in _ANSWERED for one in pieces)
        made.append(Timings(piece, name, len(times), times[len(times) // 2], times[-1], failed))
    return tuple(made)
