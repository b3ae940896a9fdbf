"""选股: the arguments as understood, the conditions in words, and one page of the result."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from services.core.aggregates import JUDGED_COUNTS, MATCH_COUNT
from services.core.catalogue import SCREEN_FIELDS, metric_words
from services.core.claims import Claim
from services.core.errors import NoDataError
from services.core.industries import industry_label
from services.core.lazy import import_later
from services.core.ledger import Ledger
from services.core.requests import Bound, ScreenRequest
from services.core.symbols import Market
from services.core.text import Text
from services.core.trace import Trace
from services.market.names.names import Names
from services.market.screener import (
    MAX_OFFSET,
    MAX_SIZE,
    ScreenResult,
    ScreenRow,
    screen,
    screen_request,
)
from services.query.algebra.nodes import In, Not, Pred, walk
from services.query.algebra.scopes import CURRENCIES
from services.query.screening.screen_tests import FILTER, read_tests
from services.views import screen_chips
from services.views.member_words import (
    UNCLASSIFIED_WORDS,
    left_out_words,
    unclassified_words,
    unranked_words,
)
from services.views.parts import Parts, basis, industries
from services.views.screen_chips import heading
from services.views.table import (
    Cell,
    Table,
    TableColumn,
    TableRow,
    figure_column,
    price_words,
)
from services.views.view import ScreenView

# What answers by the algebra is not needed where the wire says it all.
if TYPE_CHECKING:
    from services.query.screening import run as screening
else:
    screening = import_later("services.query.screening.run")

DEFAULT_SIZE = "25"
# What companies written side by side are told apart by.
_BETWEEN = re.compile(r"[,，、;；\n]")
MARKET_WORDS: Mapping[Market, Text] = {
    "CN": Text("沪深 A 股", "Mainland A shares"),
    "HK": Text("港股", "Hong Kong"),
    "US": Text("美股", "United States"),
}
# How large a company is stands first, as one reads a list.
_FIGURES = tuple(dict.fromkeys(("price", "market_cap", *SCREEN_FIELDS)))
_MISSING_RULE = Text(
    "没有该项数据的公司不通过该项条件，排序时排在最后；每项条件下有数据的公司数见计数表。",
    "A company without a value fails a condition on it and sorts last; "
    "how many have one is in the counts.",
)
_LOOSE = Text(
    "“不满足”“非亏损”一类的条件例外：没有该项数据的公司也在其中。",
    "Conditions of the kind “not (…)” are an exception: companies without the figure are let in.",
)
_SOURCE_NOTES: Mapping[Market, Text] = {
    "CN": Text(
        "推算股价为总市值/总股本，与市值、市盈率、市净率同为盘中采集；净利润以年报为准，缺年报时为"
        "总市值/市盈率(LYR)的推算；营业收入为 TTM；净资产收益率为市净率/市盈率的估算；"
        "涨跌幅仅限有日线的公司，来自最近两个收盘。",
        "Implied prices are market cap / shares, captured intraday with market cap, P/E and P/B; "
        "net profit is the annual report's, or market cap / P/E (LYR) where there is none; revenue "
        "is TTM; ROE is estimated as P/B over P/E; changes need daily bars, which few have.",
    ),
    "HK": Text(
        "港股来源只给出总市值、市盈率(LYR)与市净率；其余条件没有数据可判断。",
        "The Hong Kong source gives market cap, P/E (LYR) and P/B only; nothing else is judged.",
    ),
    "US": Text(
        "快照不含美股估值，只能列出名称与行业。",
        "The snapshot has no valuation of US companies: names and industries only.",
    ),
}
_LIVE_NOTE = Text(
    "各列以来源给出的为准，没有给出时才由登记的公式推算；取自哪个来源、何时抓取，见各数字的出处。",
    "Columns are as the source gives them, computed by a registered formula only where it does "
    "not; each figure's source says from whom and when.",
)


def build(parts: Parts, arguments: Mapping[str, str], session_id: str, page: int) -> ScreenView:
    """The page of the screen; a page past the end is answered with the last one. See
    Desk.screen.
    """
    given = _strip_arguments(arguments)
    size = asked_screen(given).request.size
    within = min(max(page, 1), MAX_OFFSET // size + 1)
    view = _build_screen(parts, given, session_id, within, size)
    if page > view.pages:
        return _build_screen(parts, given, session_id, view.pages, size)
    return view


def build_all(parts: Parts, arguments: Mapping[str, str], session_id: str) -> ScreenView:
    """Every matching company on one page, asked for in pages of MAX_SIZE. See Desk.screen_all."""
    given = {**_strip_arguments(arguments), "size": str(MAX_SIZE)}
    first = build(parts, given, session_id, 1)
    pages = [first, *(build(parts, given, session_id, at) for at in range(2, first.pages + 1))]
    calls = {call.tool_call_id: call for page in pages for call in page.trace.tool_calls}
    rows = {row.symbol: row for page in pages for row in page.table.rows}
    columns = {column.key: column for page in pages for column in page.table.columns}
    order = [*(key for key in columns if key not in _FIGURES), *_FIGURES]
    return replace(
        first,
        claims={name: claim for page in pages for name, claim in page.claims.items()},
        trace=Trace(tool_calls=tuple(calls.values())),
        run_ids=tuple(dict.fromkeys(name for page in pages for name in page.run_ids)),
        table=replace(
            first.table,
            columns=tuple(columns[key] for key in order if key in columns),
            rows=tuple(rows.values()),
        ),
        pages=1,
        size=max(1, len(rows)),
    )


class AskedScreen(NamedTuple):
    """A screen as its arguments ask for it: what the wire says, and the tests of its filter."""

    request: ScreenRequest
    tests: tuple[Pred, ...]


def asked_screen(given: Mapping[str, object]) -> AskedScreen:
    """The arguments read. Raises: InputError."""
    request = screen_request({name: one for name, one in given.items() if name != FILTER})
    return AskedScreen(request, read_tests(str(given.get(FILTER) or ""), request.market))


def add_sets(
    parts: Parts, given: Mapping[str, str], chosen: screen_chips.ChosenSets
) -> dict[str, str]:
    """The arguments with these sets too. See Desk.add_to_screen."""
    asked = asked_screen(given)
    written = [one for one in _BETWEEN.split(chosen.companies) if one.strip()]
    symbols = [parts.names.resolve(one.strip()).value for one in written]
    if chosen.watchlist:
        symbols += [one.symbol for one in parts.watchlists.of(chosen.watchlist)]
    known = industries(parts, asked.request.market)
    added = tuple(dict.fromkeys(symbols))
    return screen_chips.add_sets(given, asked.tests, chosen, added, known)


def join_either(given: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    """The arguments with the conditions of these chips joined: one of them is enough.

    Raises: InputError for fewer than two.
    """
    return screen_chips.join_either(given, *asked_screen(given), keys)


def screen_columns(
    keys: Sequence[str], *, live: bool, rows: Sequence[ScreenRow]
) -> tuple[TableColumn, ...]:
    """The columns of a result table; `keys` are keys of ScreenRow.figures. Industries are left out
    where the source gives none of them.
    """
    industry = TableColumn("industry", Text("行业", "Industry"), "text")
    grouped = not live or any(row.industry for row in rows)
    return (
        TableColumn("symbol", Text("代码", "Code"), "symbol"),
        TableColumn("name", Text("名称", "Name"), "text"),
        *((industry,) if grouped else ()),
        *(_figure_column(key, rows, live=live) for key in keys),
    )


def screen_row(row: ScreenRow, names: Names) -> TableRow:
    """One company of a result as a table row."""
    industry = industry_label(row.industry) if row.industry else UNCLASSIFIED_WORDS
    name = names.text(row.symbol, row.name)
    cells: dict[str, Cell] = {"symbol": row.symbol, "name": name, "industry": industry}
    figures = {key: row.figures.get(key) for key in _FIGURES}
    return TableRow({**cells, **figures}, row.symbol)


def _strip_arguments(arguments: Mapping[str, str]) -> dict[str, str]:
    given = {name: text.strip() for name, text in arguments.items() if text and text.strip()}
    given.pop("offset", None)  # pages decide it
    given.setdefault("size", DEFAULT_SIZE)
    return given


class _Found(NamedTuple):
    """What a run of the screen brought."""

    result: ScreenResult
    relaxed: Mapping[str, Claim]
    covered: Mapping[str, Claim]
    remarks: tuple[Text, ...] = ()


def _build_screen(
    parts: Parts, given: Mapping[str, str], session_id: str, page: int, size: int
) -> ScreenView:
    asked = asked_screen({**given, "offset": (page - 1) * size})
    request = asked.request
    finished = parts.runner.run_once(
        "screen",
        {**given, "offset": request.offset},
        lambda ledger: _carry_out(parts, ledger, asked),
        session_id=session_id,
    )
    (result, relaxed, covered, remarks), found = finished.output, basis(finished)
    market = MARKET_WORDS[request.market]
    live = parts.settings.mode == "live"
    chips = _chips(parts, given, asked)
    return ScreenView(
        title=Text(f"选股 · {market.zh}", f"Screen · {market.en}"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=(*_notes(parts, request.market), _MISSING_RULE, *_loose_note(asked.tests)),
        standing=(
            *_tell_ranked(result, parts.names, narrowed=bool(request.bounds or asked.tests)),
            *_as_sentences(remarks),
        ),
        chips=chips,
        relaxed=relaxed,
        covered=covered,
        request=request,
        arguments=_fill_arguments(given, request),
        conditions=(*(one.words for one in chips), _order_words(request, live=live)),
        table=_table(result, parts.names, live=live),
        counts=_counts(result, live=live),
        match_count=result.match_count,
        company_count=result.company_count,
        judged=result.judged,
        page=page,
        pages=max(1, -(-int(result.match_count.value) // size)),
        size=size,
        industries=industries(parts, request.market),
    )


def _carry_out(parts: Parts, ledger: Ledger, asked: AskedScreen) -> _Found:
    """What the wire can say is asked as it says it; beside tests the algebra answers the whole."""
    request, covered = asked.request, partial(_count_covered, parts, ledger, asked.request)
    if not asked.tests:
        return _Found(screen(ledger, request), _count_relaxed(ledger, request), covered())
    done = screening.screen_by(parts.query.desk(ledger), request, asked.tests)
    return _Found(done.result, done.relaxed, covered(), done.remarks)


def _chips(
    parts: Parts, given: Mapping[str, str], asked: AskedScreen
) -> tuple[screen_chips.ScreenChip, ...]:
    market, live = asked.request.market, parts.settings.mode == "live"
    known = industries(parts, market)
    desk = screen_chips.ChipDesk(parts.names, known, CURRENCIES[market], live=live)
    return screen_chips.chips_of(given, asked.request, asked.tests, desk)


def _count_relaxed(ledger: Ledger, request: ScreenRequest) -> dict[str, Claim]:
    """How many match with each condition dropped, over the members of the same answer; none where
    the source tells no members, or where there are not two conditions.
    """
    names = list(dict.fromkeys(bound.field for bound in request.bounds))
    names += ["industry"] if request.industry else []
    if len(names) < 2:
        return {}
    call = ledger.fetch(request).calls[0]
    made = {
        name: ledger.aggregate(
            call,
            MATCH_COUNT,
            industry=None if name == "industry" else request.industry,
            bounds=tuple(bound for bound in request.bounds if bound.field != name),
        )
        for name in names
    }
    return {name: claim for name, claim in made.items() if claim is not None}


def _count_covered(parts: Parts, ledger: Ledger, request: ScreenRequest) -> dict[str, Claim]:
    """How many companies of the market (or industry) have a value in each field, whether it is
    asked for or not. Live a source is not asked once more for it: of the fields used alone.
    """
    if parts.settings.mode == "live":
        return {}
    every = tuple(Bound(field=field) for field in SCREEN_FIELDS)
    wide = ScreenRequest(market=request.market, bounds=every, size=1, industry=request.industry)
    try:
        call = ledger.fetch(wide).calls[0]
    except NoDataError:
        return {}
    made = {
        field: ledger.aggregate(call, JUDGED_COUNTS[field], industry=request.industry)
        for field in SCREEN_FIELDS
    }
    return {field: claim for field, claim in made.items() if claim is not None}


def _tell_ranked(found: ScreenResult, names: Names, *, narrowed: bool) -> tuple[Text, ...]:
    """Over whom the ranking is, and what the market lists beside companies."""
    order_by, market = found.request.order_by, MARKET_WORDS[found.request.market]
    said = (
        unranked_words(found, SCREEN_FIELDS.get(order_by, order_by), names, narrowed=narrowed),
        unclassified_words(market, found.unclassified, names),
        None if found.request.industry else left_out_words(market, found.left_out),
    )
    return tuple(one for one in said if one is not None)


def _loose_note(tests: Sequence[Pred]) -> tuple[Text, ...]:
    """Where a condition lets in who has not the figure."""
    inner = (one for test in tests for one in walk(test) if isinstance(one, Not))
    return (_LOOSE,) if any(not isinstance(one.item, In) for one in inner) else ()


def _as_sentences(said: Iterable[Text]) -> Iterator[Text]:
    """Remarks that stand within an answer's line, as lines of their own."""
    yield from (Text(f"{one.zh}。", f"{one.en[:1].upper()}{one.en[1:]}.") for one in said)


def _notes(parts: Parts, market: Market) -> tuple[Text, ...]:
    """What is to be known of the snapshot's columns; live figures carry their own sources."""
    return (_SOURCE_NOTES[market],) if parts.settings.mode == "snapshot" else (_LIVE_NOTE,)


def _fill_arguments(given: Mapping[str, str], request: ScreenRequest) -> dict[str, str]:
    """The arguments under their proper names, with every default that matters filled in."""
    ranges = {name: text for name, text in given.items() if name in SCREEN_FIELDS}
    if "netprofi" in given:
        ranges.setdefault("netprofit", given["netprofi"])
    understood = {
        "category": request.market,
        **ranges,
        "order_by": request.order_by,
        "order": request.order,
        "size": str(request.size),
    }
    beside = {"industry": request.industry or "", FILTER: given.get(FILTER, "")}
    return understood | {name: text for name, text in beside.items() if text}


def screen_words(names: Names, given: Mapping[str, object]) -> tuple[Text, ...]:
    """The market and what is asked of its companies, each as it is told beside the result.

    Raises: InputError.
    """
    asked = asked_screen(given)
    desk = screen_chips.ChipDesk(names, (), CURRENCIES[asked.request.market], live=False)
    told = screen_chips.chips_of({}, *asked, desk)
    words = (one.words for one in told)
    return (MARKET_WORDS[asked.request.market], *words, _order_words(asked.request, live=False))


def _order_words(request: ScreenRequest, *, live: bool) -> Text:
    name = (
        heading(request.order_by, live=live)
        if request.order_by != "symbol"
        else Text("代码", "code")
    )
    zh, en = ("升序", "ascending") if request.order == "asc" else ("降序", "descending")
    return Text(f"按{name.zh}{zh}", f"by {name.en}, {en}")


def _figure_column(key: str, rows: Sequence[ScreenRow], *, live: bool) -> TableColumn:
    name = heading(key, live=live)
    if key == "price" and live:
        name = price_words(row.figures.get(key) for row in rows)
    return TableColumn(key, name, "figure")


def _table(result: ScreenResult, names: Names, *, live: bool) -> Table:
    return Table(
        "screen",
        Text("筛选结果", "Result"),
        screen_columns(_worth_showing(result), live=live, rows=result.rows),
        tuple(screen_row(row, names) for row in result.rows),
    )


def _worth_showing(result: ScreenResult) -> tuple[str, ...]:
    """Every figure for A shares; elsewhere those that a company listed has, or that were asked
    for.
    """
    asked = {bound.field for bound in result.request.bounds} | {result.request.order_by}
    if result.request.market == "CN":
        return _FIGURES
    given = {k for row in result.rows for k in _FIGURES if isinstance(row.figures.get(k), Claim)}
    return tuple(key for key in _FIGURES if key in given | asked)


def _counts(result: ScreenResult, *, live: bool) -> Table:
    lines = [
        (metric_words("match_count"), result.match_count),
        (metric_words("company_count"), result.company_count),
    ]
    for field, claim in result.judged.items():
        name, kind = heading(field, live=live), metric_words(f"judged_{field}")
        lines.append((Text(f"{name.zh}：{kind.zh}", f"{name.en}: {kind.en}"), claim))
    columns = (
        TableColumn("item", Text("项目", "Item"), "text"),
        figure_column("count", "company_count"),
    )
    rows = tuple(TableRow({"item": name, "count": claim}) for name, claim in lines)
    return Table("counts", Text("计数", "Counts"), columns, rows)
