"""Freezing: every page about the chosen companies is built once, and what it asked is kept.

What is walked here is what a reader of the frozen snapshot can see; anything else is told to be
missing there, never worked out from a part of the market.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from services.agents.results import AgentRunRequest
from services.core.clock import Clock
from services.core.errors import InputError, NoDataError, YoujuError
from services.core.names import NameRow
from services.core.symbols import Symbol
from services.market.sync_plan import MARKETS
from services.providers.frozen import Recording
from services.scoring.facts import AnalysisDesk as ScoreDesk
from services.scoring.outcomes import known_close, price_after
from services.scoring.scorer import ScoreRequest
from services.settings import Settings
from services.store.database import Database
from services.store.frozen import ManifestHead, make_name_parts, market_parts, write_frozen
from services.store.frozen_answers import FrozenAnswer, answers_part
from services.store.frozen_copy import copy_parts
from services.store.kept_answers import list_kept_answers
from services.store.screens import Screen
from services.store.snapshot import FrozenScope, MadeFrom, Manifest, PartContent, read_manifest
from services.views.parts import Parts, industries
from services.workbench.desk import Desk

SESSION = "freeze"
MOST = 200
# As many pages of a screen as are walked: what lies behind them is seldom looked at.
_PAGES = 4
# The windows a reader may choose for the bars of a company, in days; the last is everything.
WINDOWS = (92, 183, 366, 731)
_OPENS_WITH = 366
_SINCE_EVER = date(1990, 1, 1)
# How often the pages are walked again when a session opened, closed or a day ended meanwhile.
_ROUNDS = 3
_WHOLE = ("全部数据", "everything there was")
_ORDER = {"order_by": "market_cap", "order": "desc"}


class Frozen(Parts, Protocol):
    """The container as freezing sees it."""

    @property
    def database(self) -> Database:
        """The store, for the answers it has kept."""
        ...


@dataclass(frozen=True, slots=True)
class FreezeChoice:
    """What is to be frozen: everything, or these symbols; `screen` is whose result they are.

    `windows` are those of the bars, in days, that live pages of a company are walked with.
    """

    kind: Literal["all", "symbols", "screen"]
    symbols: tuple[str, ...] = ()
    screen: str = ""
    screens: tuple[Screen, ...] = ()
    windows: tuple[int, ...] = WINDOWS


class Skipped(NamedTuple):
    """A page that could not be built, and why: what it lacks is missing when it is loaded too."""

    page: str
    why: str


@dataclass(frozen=True, slots=True)
class FreezeResult:
    """What was written, and the pages that could not be built."""

    manifest: Manifest
    skipped: tuple[Skipped, ...]
    answers: int


def resolve_symbols(parts: Parts, texts: Iterable[str]) -> tuple[str, ...]:
    """The symbols these codes or names mean, each once. Raises: InputError, also for none."""
    found = tuple(dict.fromkeys(parts.names.resolve(text).value for text in texts if text.strip()))
    return _require_bounded("--symbols", found)


def list_screened(parts: Parts, screen: Screen) -> tuple[str, ...]:
    """The companies of a saved screen, the first MOST of them. Raises: as Desk.screen."""
    found: list[str] = []
    desk, arguments = Desk(parts), _texts(screen.arguments)
    page, pages = 1, 1
    while page <= pages and len(found) < MOST:
        view = desk.screen(arguments, SESSION, page)
        found += [row.symbol for row in view.table.rows if row.symbol]
        page, pages = page + 1, view.pages
    return _require_bounded("--screen", tuple(found[:MOST]))


def freeze(
    parts: Frozen,
    recording: Recording,
    choice: FreezeChoice,
    target: Path,
    *,
    name: str,
    version: str,
    real: Clock,
    tell: Callable[[str], None] = lambda _page: None,
) -> FreezeResult:
    """Write what was chosen into `target`; of a snapshot, everything is for `freeze_whole`.

    `parts` must record into `recording`; `real` says when it is made, `tell` is told each page.

    Raises: StoreError (`target` is there, or a part of the snapshot was changed).
    """
    skipped = _walk_pages(parts, choice, tell)
    clock = parts.clock.now()
    answers = _list_known(parts, recording.answers(), choice, clock)
    contents, scope = _contents(parts, choice, answers), _scope(parts, choice)
    head = ManifestHead(
        name, clock, real.now(), scope, _tell_origin(parts.settings, parts.manifest), version
    )
    return FreezeResult(write_frozen(target, head, contents), skipped, len(answers))


def freeze_whole(
    settings: Settings, target: Path, *, name: str, version: str, real: Clock
) -> FreezeResult:
    """Write a snapshot that is one already, bundled or frozen, whole: its parts byte for byte.

    What was left out of it when it was frozen is left out still, and told so.
    Raises: StoreError (`target` is there, or a part of the snapshot was changed).
    """
    manifest = read_manifest(settings.snapshot)
    scope = manifest.scope or FrozenScope(kind="all", zh=_WHOLE[0], en=_WHOLE[1])
    made_from = _tell_origin(settings, manifest)
    head = ManifestHead(name, manifest.clock, real.now(), scope, made_from, version)
    return FreezeResult(write_frozen(target, head, [], whole=settings.snapshot), (), 0)


def _walk_pages(
    parts: Parts, choice: FreezeChoice, tell: Callable[[str], None]
) -> tuple[Skipped, ...]:
    """Build every page; once more when the markets were in another state at the end."""
    skipped: dict[str, str] = {}
    for _ in range(_ROUNDS):
        before = _state(parts)
        skipped.clear()
        for page, build in _pages(parts, choice):
            tell(page)
            try:
                build()
            except NoDataError:
                pass  # an answer, and recorded as one
            except YoujuError as error:
                skipped[page] = f"{type(error).__name__}: {error}"
        if _state(parts) == before:
            break
    return tuple(Skipped(page, why) for page, why in skipped.items())


def _state(parts: Parts) -> tuple[tuple[date, bool], ...]:
    """What decides what pages ask: the day in each market, and whether it trades."""
    now = parts.clock.now()
    return tuple(
        (parts.calendar.local_day(market, now), parts.calendar.is_open(market, now))
        for market in MARKETS
    )


def _pages(parts: Parts, choice: FreezeChoice) -> Iterable[tuple[str, Callable[[], object]]]:
    """Every page by a name for it, and what builds it."""
    desk = Desk(parts)
    yield "overview", lambda: desk.overview(SESSION)
    for market in MARKETS:
        arguments = {"category": market, **_ORDER}
        yield f"screen {market}", lambda given=arguments: _walk_screen(desk, given)
    for screen in choice.screens:
        arguments = _texts(screen.arguments)
        yield f"screen {screen.name}", lambda given=arguments: _walk_screen(desk, given)
    today = parts.clock.now().date()
    for symbol in choice.symbols:
        yield from _about(parts, desk, symbol, _starts(parts, choice, today))


def _about(
    parts: Parts, desk: Desk, symbol: str, starts: Sequence[date]
) -> Iterable[tuple[str, Callable[[], object]]]:
    """The pages of one company or index."""
    today = parts.clock.now().date()
    yield f"stock {symbol}", lambda: desk.stock(symbol, None, None, SESSION)
    for start in starts:
        page = f"stock {symbol} {start}"
        yield page, lambda first=start: desk.stock(symbol, first, today, SESSION)
    if Symbol(symbol).is_index:
        return
    yield f"financials {symbol}", lambda: desk.financials(symbol, SESSION)
    yield f"score {symbol}", lambda: _walk_score(parts, symbol)
    request = AgentRunRequest(symbol=symbol, by_rule=True)
    yield f"analysis {symbol}", lambda: parts.analyses.run(request, SESSION)


def _starts(parts: Parts, choice: FreezeChoice, today: date) -> list[date]:
    """The first days of the windows the page offers. Of a snapshot every bar of the company is
    kept, so the one it opens with is enough.
    """
    if parts.settings.mode == "snapshot":
        return [today - timedelta(days=_OPENS_WITH)]
    return [*(today - timedelta(days=count) for count in choice.windows), _SINCE_EVER]


def _walk_screen(desk: Desk, arguments: Mapping[str, str]) -> None:
    pages = desk.screen(arguments, SESSION).pages
    for page in range(2, min(pages, _PAGES) + 1):
        desk.screen(arguments, SESSION, page)


def _walk_score(parts: Parts, symbol: str) -> None:
    """The score by rule, and what its page asks about the price since."""
    request = ScoreRequest(symbol=symbol, by_rule=True)
    found = parts.scores.run(request, SESSION)
    base = known_close(symbol, found.claims)
    desk = ScoreDesk(parts.names, parts.calendar, parts.clock)
    parts.runner.run(
        "score_outcomes",
        {"symbol": symbol, "since": base.isoformat() if base else None},
        lambda ledger: price_after(ledger, Symbol(symbol), base, desk),
        session_id=SESSION,
    )


def _list_known(
    parts: Frozen, walked: Sequence[FrozenAnswer], choice: FreezeChoice, clock: datetime
) -> list[FrozenAnswer]:
    """What the walk recorded, then what the store had kept beside it; nothing after the clock."""
    found = {(one.asked, one.capability, one.request): one for one in walked}
    if _is_live(parts):
        chosen = None if choice.kind == "all" else frozenset(choice.symbols)
        for one in list_kept_answers(parts.database, clock, chosen, parts.settings.chains):
            found.setdefault((one.asked, one.capability, one.request), one)
    return [one for one in found.values() if one.known_at is None or one.known_at <= clock]


def _contents(
    parts: Parts, choice: FreezeChoice, answers: Sequence[FrozenAnswer]
) -> list[PartContent]:
    """The market parts of what was chosen, and the answers."""
    named = _list_named(answers)
    if parts.settings.mode == "snapshot":
        folder = parts.settings.snapshot
        market = market_parts(folder, parts.manifest, choice.symbols, named)
    else:
        rows: Mapping[str, NameRow] = parts.names.rows
        named |= _list_members(answers)
        wanted = set(rows) if choice.kind == "all" else {*choice.symbols, *named}
        kept = [rows[symbol] for symbol in wanted if symbol in rows]
        market = make_name_parts(kept, parts.clock.now().date())
    copied = copy_parts(parts.copy) if _is_live(parts) and choice.kind == "all" else []
    return [*market, answers_part(answers), *copied]


def _is_live(parts: Parts) -> bool:
    return parts.settings.mode == "live" and not parts.settings.frozen


def _list_named(answers: Sequence[FrozenAnswer]) -> set[str]:
    """Every symbol an answer tells of, or was asked for: pages call it by its name."""
    asked = {json.loads(one.request).get("symbol") for one in answers} - {None}
    contents = [part.contents for one in answers for part in one.parts]
    rows = {fact.symbol for one in contents for fact in one.rows}
    return asked | rows | {symbol for one in contents for symbol in one.labels}


def _list_members(answers: Sequence[FrozenAnswer]) -> set[str]:
    """Every company that a sum or a count is over: a map of the market names some of them."""
    found = [part.contents.members for one in answers for part in one.parts]
    return {symbol for one in found if one is not None for symbol in one.symbols}


def _scope(parts: Parts, choice: FreezeChoice) -> FrozenScope:
    """What was chosen, in words."""
    count = len(choice.symbols)
    listed = "、".join(parts.names.name(symbol) for symbol in choice.symbols[:3])
    more = "等" if count > 3 else ""
    zh = f"{count} 个代码（{listed}{more}）"
    en = f"{count} symbol{'s' if count != 1 else ''} ({', '.join(choice.symbols[:3])}"
    en += ", …)" if count > 3 else ")"
    if choice.kind == "screen":
        zh, en = f"选股条件“{choice.screen}”的{zh}", f"{en} of the screen “{choice.screen}”"
    if choice.kind == "all":
        zh, en = _WHOLE
    return FrozenScope(
        kind=choice.kind,
        zh=zh,
        en=en,
        symbols=choice.symbols,
        industries={market: industries(parts, market) for market in MARKETS},
        screens={one.name: one.arguments for one in choice.screens},
    )


def _tell_origin(settings: Settings, manifest: Manifest) -> MadeFrom:
    if settings.mode == "live" and not settings.frozen:
        return MadeFrom(mode="live")
    return MadeFrom(
        mode="live" if manifest.frozen_live else "snapshot",
        snapshot=manifest.name,
        parts={part.file: part.sha256 for part in manifest.parts},
        fetched_at=manifest.fetched_at,
    )


def _require_bounded(argument: str, symbols: tuple[str, ...]) -> tuple[str, ...]:
    if not 1 <= len(symbols) <= MOST:
        raise InputError(argument, len(symbols), f"1 to {MOST} companies or indexes")
    return symbols


def _texts(arguments: Mapping[str, object]) -> dict[str, str]:
    """Saved arguments as the page gives them."""
    return {name: str(value) for name, value in arguments.items() if value not in (None, "")}
