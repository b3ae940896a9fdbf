"""The answers a live store has kept, those the chain would give again at an instant."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from sqlalchemy import select

from services.core.trace import Attempt
from services.settings import CROSS_CHECKED
from services.store.database import Database
from services.store.fetches import Fetches, StoredFetch
from services.store.frozen_answers import AnswerPart, Asked, FrozenAnswer
from services.store.tables import FETCHES

# What was asked: the capability and the arguments as they are stored.
_Question = tuple[str, str]


def list_kept_answers(
    database: Database,
    clock: datetime,
    symbols: Collection[str] | None,
    chains: Mapping[str, tuple[str, ...]],
) -> list[FrozenAnswer]:
    """The answer to each request about one of `symbols` (None: about anything), oldest question
    first; nothing that was fetched after `clock`.

    As the chain does, the first source of `chains` whose answer is still good is taken, and the
    next one's beside it where figures are checked; when all are past their time the newest, which
    then says so.
    """
    fetches = Fetches(database)
    found: list[FrozenAnswer] = []
    for question, by_provider in _newest(database, clock).items():
        capability, arguments = question
        if symbols is not None and json.loads(arguments).get("symbol") not in symbols:
            continue
        loaded = [fetches.load(fetch_id) for fetch_id in by_provider.values()]
        known = {one.provider: one for one in loaded if one is not None}
        found += _answers(known, chains.get(capability, ()), clock)
    return found


def _newest(database: Database, clock: datetime) -> dict[_Question, dict[str, str]]:
    """By question the fetch that each provider answered it with last."""
    columns = (FETCHES.c.fetch_id, FETCHES.c.provider, FETCHES.c.capability, FETCHES.c.arguments)
    query = (
        select(*columns)
        .where(FETCHES.c.position == 0, FETCHES.c.fetched_at <= clock)
        .order_by(FETCHES.c.fetched_at, FETCHES.c.seq)
    )
    newest: dict[_Question, dict[str, str]] = {}
    with database.open_reading() as connection:
        for row in connection.execute(query):
            newest.setdefault((row.capability, row.arguments), {})[row.provider] = row.fetch_id
    return newest


def _answers(
    known: Mapping[str, StoredFetch], chain: Sequence[str], clock: datetime
) -> Iterator[FrozenAnswer]:
    good = [known[name] for name in chain if name in known and _lasts(known[name], clock)]
    if good:
        yield _answer("first", good[0], clock)
        if len(good) > 1 and good[0].capability in CROSS_CHECKED:
            yield _answer("second", good[1], clock)
    elif known:
        newest = max(known.values(), key=lambda one: one.parts[0].fetched_at)
        yield _answer("first", newest, clock)


def _lasts(stored: StoredFetch, clock: datetime) -> bool:
    return all(one.expires_at is None or one.expires_at > clock for one in stored.parts)


def _answer(asked: Asked, stored: StoredFetch, clock: datetime) -> FrozenAnswer:
    attempt = Attempt(
        provider=stored.provider,
        table=stored.parts[0].table,
        started_at=clock,
        duration_ms=0.0,
        cached="fresh" if _lasts(stored, clock) else "stale",
    )
    return FrozenAnswer(
        asked=asked,
        capability=stored.capability,
        request=json.dumps(
            stored.arguments, sort_keys=True, ensure_ascii=False, separators=(",", ":")
        ),
        provider=stored.provider,
        attempts=(attempt,),
        parts=tuple(
            AnswerPart(
                source=part.source,
                table=part.table,
                fetched_at=part.fetched_at,
                body_sha256=part.body_sha256,
                stale=False,
                contents=part.contents,
            )
            for part in stored.parts
        ),
    )
