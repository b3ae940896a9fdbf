"""Every statement code finds true of a company, with how much each tells.

What is tried is what the registered windows and the whole runs allow; what does not hold falls out.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.indexes import INDEXES
from services.statements.alike import FLOWS, comparable_run
from services.statements.book import Book
from services.statements.change import ChangeStatement
from services.statements.compare import MEDIAN, CompareStatement
from services.statements.event import EventStatement
from services.statements.event_parts import EventPart
from services.statements.extreme import ExtremeStatement
from services.statements.gap import GapStatement
from services.statements.level import LevelStatement
from services.statements.move import WINDOWS, MoveStatement
from services.statements.outdated import OutdatedStatement
from services.statements.pace import PaceStatement
from services.statements.rank import RankStatement
from services.statements.reading import ReadingStatement
from services.statements.registry import AnyStatement
from services.statements.signal import WANTED, SignalStatement
from services.statements.statement import Broken, Held
from services.statements.trend import TrendStatement
from services.statements.watch import WATCHED, WatchStatement

ANNUAL = (
    *("revenue", "net_profit", "eps", "dps", "roe", "gross_margin", "net_margin"),
    *("debt_to_assets", "equity"),
)
MULTIPLES = ("pe_ttm", "pe_lyr", "pb", "ps_ttm", "roe", "dy_l", "market_cap")
_VALUED = ("market_cap", "pe_ttm", "pb")
_PEERS = 3
# Of a market as a whole and of the economy, in the order they are told.
_SERIES = (
    *("company_count", "market_cap_sum", "judged_market_cap", "pe_ttm_median", "pb_median"),
    *("loss_count", "judged_pct", "up_count", "down_count", "flat_count", "pct_change_median"),
    *("main_net_inflow", *sorted(CATALOGUE.ids_where(kind="macro"))),
)
_SIDE_BY_SIDE = 6
_Z = "abnormal.z60"
# How much a kind tells of itself, before its size.
_WEIGHTS: Mapping[str, float] = {
    "change": 0.8, "trend": 0.9, "pace": 0.85, "move": 0.6, "compare": 0.95, "extreme": 0.85,
    "rank": 0.55, "signal": 0.75, "event": 0.6, "level": 0.35, "gap": 0.3, "watch": 0.5,
    "quote": 0.4, "outdated": 0.3, "reading": 0.5,
}  # fmt: skip
_OLD_REPORT, _OLD_DAYS, _LEAST_FRESH = 0.45, 150, 0.6


class StatementCandidate(NamedTuple):
    """A statement that holds, what code found of it, and how much it tells (0 to about 200)."""

    statement: AnyStatement
    held: Held
    salience: float


class RefusedStatement(NamedTuple):
    """A statement that was tried and does not hold."""

    statement: AnyStatement
    broken: Broken


class FoundStatements(NamedTuple):
    """Candidates, the most telling first; and what was tried in vain."""

    candidates: tuple[StatementCandidate, ...]
    refused: tuple[RefusedStatement, ...]


def _want_all(_statement: AnyStatement) -> bool:
    return True


def candidates(
    book: Book,
    asked: frozenset[str] = frozenset(),
    *,
    wanted: Callable[[AnyStatement], bool] = _want_all,
) -> FoundStatements:
    """What may be said of the book's company; `asked` are figures or factors of the question.

    What is not `wanted` is not tried.
    """
    good: list[StatementCandidate] = []
    bad: list[RefusedStatement] = []
    for statement in filter(wanted, dict.fromkeys(_tries(book))):
        held = statement.check(book)
        if isinstance(held, Broken):
            bad.append(RefusedStatement(statement, held))
        else:
            good.append(StatementCandidate(statement, held, salience(statement, held, book, asked)))
    good.sort(key=lambda one: -one.salience)
    return FoundStatements(tuple(good), tuple(bad))


def is_old(held: Held, book: Book) -> bool:
    """Of a report that is not the newest of its figure."""
    if held.when.period is None:
        return False
    run = book.run(held.topic)
    newest = max((run[-1].period if run else "") or "", book.newest_report or "")
    return bool(run) and held.when.period != newest


def is_of_one_peer(one: StatementCandidate) -> bool:
    """Beside one company of somebody's choice: true, and no verdict."""
    return one.statement.kind == "compare" and not one.held.uses[1].metric.endswith(MEDIAN)


def is_beside_one(statement: AnyStatement, book: Book) -> bool:
    """As `is_of_one_peer`, of a statement that was not tried yet."""
    if not isinstance(statement, CompareStatement):
        return False
    return not book.claims[statement.other].metric.endswith(MEDIAN)


def salience(
    statement: AnyStatement, held: Held, book: Book, asked: frozenset[str] = frozenset()
) -> float:
    """How much it tells: its kind, its size, its age, and what was asked."""
    fresh = 1.0
    if held.when.day is not None and book.last_day is not None:
        fresh = max(_LEAST_FRESH, 1 - (book.last_day - held.when.day).days / _OLD_DAYS)
    elif is_old(held, book):
        fresh = _OLD_REPORT
    told = 100 * _WEIGHTS[statement.kind] * (0.35 + 0.65 * held.size) * fresh
    if held.factor in asked or held.topic in asked:
        told *= 1.4
    told *= _weigh_form(statement, held) * _weigh_topic(held, book)
    newest = statement.kind == "change" and held.topic in {"revenue", "net_profit"} and fresh == 1
    if newest or held.word == "loss":
        told += 30  # the reader's first question
    return round(told, 1)


def _weigh_form(statement: AnyStatement, held: Held) -> float:
    """What a kind, a side or a word is worth beside others."""
    told = 1.0
    if statement.kind == "compare" and not held.uses[1].metric.endswith(MEDIAN):
        told *= 0.55  # one peer says less than the median of them
    if statement.kind == "trend":
        told *= 0.8 + 0.1 * min(len(held.uses), 5) / 3
    if held.stance < 0:
        told *= 1.15  # what speaks against is rarer in company data
    if held.word == "loss":
        told *= 2.0  # one does not leave out that money is lost
    return told


def _weigh_topic(held: Held, book: Book) -> float:
    if held.topic in {"pe_lyr", "ps_ttm"} and book.one("pe_ttm") is not None:
        return 0.75  # several multiples of one price are one thought
    return 0.5 if held.topic == "market_cap" else 1.0  # size is no reason


def _tries(book: Book) -> Iterator[AnyStatement]:
    yield from _of_reports(book)
    yield from _of_multiples(book)
    yield from _of_prices(book)
    yield from _of_events(book)
    yield from _of_series(book)
    for lack in book.lacks:
        yield GapStatement(what=lack.what.zh)


def _ids(claims: list[Claim]) -> tuple[str, ...]:
    return tuple(one.claim_id for one in claims)


def _of_reports(book: Book) -> Iterator[AnyStatement]:
    for metric in ANNUAL:
        if run := book.run(metric):
            yield from _of_run(book, metric, run)
    profits = book.run("net_profit")
    if not profits:
        return
    yield WatchStatement(trigger="next_profit", now=profits[-1].claim_id)
    if profits[-1].value < 0:
        yield LevelStatement(claims=(profits[-1].claim_id,))
    newest = [book.one(name, profits[-1].period) for name in ("revenue", "net_profit")]
    yield LevelStatement(claims=_ids([one for one in newest if one is not None]))
    found = [book.one(name, profits[-1].period) for name in ("net_margin", "debt_to_assets", "roe")]
    told = [one for one in found if one is not None and one.as_of == profits[-1].as_of]
    if told:
        yield LevelStatement(claims=_ids(told))


def _of_run(book: Book, metric: str, run: list[Claim]) -> Iterator[AnyStatement]:
    """Of one annual figure: year by year, and over all the years that may stand together."""
    if metric in FLOWS:
        for base, now in pairwise(run):
            yield ChangeStatement(now=now.claim_id, base=base.claim_id)
    elif len(run) > 1:
        yield MoveStatement(first=run[-2].claim_id, last=run[-1].claim_id)
    whole = comparable_run(book, run[-1])
    for count in range(3, len(whole) + 1):
        yield TrendStatement(claims=_ids(whole[-count:]))
    if len(whole) >= 3 and metric in FLOWS:
        first, before, now = _ids(whole[-3:])
        yield PaceStatement(claims=(first, before, now))
    if len(whole) >= 4:
        yield ExtremeStatement(of=whole[-1].claim_id, among=_ids(whole))
        yield MoveStatement(first=whole[0].claim_id, last=whole[-1].claim_id)


def _of_multiples(book: Book) -> Iterator[AnyStatement]:
    sizes = sorted(
        (c for c in book.claims.values() if c.metric == "market_cap" and c.symbol != book.symbol),
        key=lambda one: -one.value,
    )
    peers = list(dict.fromkeys(one.symbol for one in sizes))[:_PEERS]
    yield from _list_outdated(book)
    for metric in MULTIPLES:
        median, rank, count = (book.one(f"{metric}_peer_{w}") for w in ("median", "rank", "count"))
        ranked = book.inputs(rank) if rank is not None else []
        own = next((one for one in ranked if one.symbol == book.symbol), book.one(metric))
        if own is not None and median is not None:
            yield CompareStatement(one=own.claim_id, other=median.claim_id)
        if rank is not None and count is not None:
            yield RankStatement(rank=rank.claim_id, count=count.claim_id, among="industry")
        for peer in peers:
            other = book.one(metric, symbol=peer)
            if own is not None and other is not None:
                yield CompareStatement(one=own.claim_id, other=other.claim_id)
    cap = book.one("market_cap")
    if cap is not None:
        told = [book.one(metric, cap.as_of) for metric in _VALUED]
        yield LevelStatement(claims=_ids([one for one in told if one is not None]))


def _list_outdated(book: Book) -> Iterator[AnyStatement]:
    multiple = book.one("pe_ttm") or book.one("pb")
    if multiple is None or not book.closes:
        return
    price = book.one("price_implied", multiple.as_of)
    if price is not None:
        last = book.closes[-1].claim_id
        yield OutdatedStatement(multiple=multiple.claim_id, first=price.claim_id, last=last)


def _of_prices(book: Book) -> Iterator[AnyStatement]:
    closes, last = book.closes, book.last_day
    if last is None:
        return
    yield LevelStatement(claims=(closes[-1].claim_id,))
    bases = [closes[-1 - back] for back in WINDOWS if len(closes) > back]
    for base in bases:
        yield MoveStatement(first=base.claim_id, last=closes[-1].claim_id)
    for rule, wanted in WANTED.items():
        found = [book.one(metric, last) for metric in wanted]
        claims = [one for one in found if one is not None]
        if len(claims) == len(wanted):
            yield SignalStatement(rule=rule, claims=_ids(claims))
    for trigger, (watched, level) in WATCHED.items():
        now = book.one(watched, last)
        line = book.one(level, last) if level is not None else None
        if trigger != "next_profit" and now is not None and (line is not None or level is None):
            yield WatchStatement(
                trigger=trigger, now=now.claim_id, level=line.claim_id if line is not None else None
            )


def _of_series(book: Book) -> Iterator[AnyStatement]:
    """Of a macro series or a market as a whole: a month beside the last, else the newest figure."""
    by_time: dict[tuple[str | None, date], list[Claim]] = {}
    for metric in _SERIES:
        now = book.one(metric)
        if now is None:
            continue
        earlier = [one for one in book.of(metric) if one.as_of < now.as_of]
        before = max(earlier, key=lambda one: one.as_of, default=now)
        reading = ReadingStatement(now=now.claim_id, before=before.claim_id)
        if isinstance(reading.check(book), Broken):
            by_time.setdefault((now.period, now.as_of), []).append(now)
        else:
            yield reading
    for claims in by_time.values():
        for at in range(0, len(claims), _SIDE_BY_SIDE):
            yield LevelStatement(claims=_ids(claims[at : at + _SIDE_BY_SIDE]))


def _of_events(book: Book) -> Iterator[AnyStatement]:
    indexes = [c for s in INDEXES for c in book.of("pct_change", s) if s != book.symbol]
    for z in book.of("return_z"):
        change = book.one("pct_change", z.as_of)
        index = next((one for one in indexes if one.as_of == z.as_of), None)
        if change is not None and index is not None:
            window = book.rule(_Z, "z_window", z.as_of)
            yield EventStatement(
                parts=(
                    EventPart(what="moved", claims=(change.claim_id,)),
                    EventPart(what="z", claims=(window.claim_id, z.claim_id)),
                    EventPart(what="index_day", claims=(index.claim_id,)),
                )
            )
