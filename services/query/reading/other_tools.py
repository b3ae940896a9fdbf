"""What another tool of the product answers: prices over time, peers. A meaning like a query."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from pydantic import JsonValue

from services.core.catalogue import CATALOGUE
from services.core.periods import Period
from services.market.forecasts import ESTIMATES
from services.query.algebra.nodes import OtherTool, Query, Several, When
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import Action
from services.query.planning.slots import NodeDraft
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import is_of_days, is_of_years
from services.query.reading.phrases import Time
from services.query.reading.request import Request
from services.query.reading.shapes import EASY, Market, Shape, listed, shape

# What is looked for of a company where its own words are the search.
_SOUGHT: Mapping[str, str] = {"news": "新闻"}
_EXPECTED = frozenset(ESTIMATES.values())
_SINCE = date(1990, 1, 1)
_YEAR_ENDS = 12


@dataclass(frozen=True, slots=True)
class Served:
    """One tool, of these companies, with these figures of the catalogue, in these days."""

    action: Action
    symbols: tuple[str, ...]
    figures: tuple[str, ...] = ()
    days: When | None = None
    also: "Served | None" = None
    period: str = "最新"

    def drafts(self, metadata: Metadata) -> list[NodeDraft]:
        """The nodes to be, one a company."""
        asked = [CATALOGUE[one].question_code for one in self.figures]
        outputs = tuple(metadata.by_code(code) for code in asked if code is not None)
        made = [
            NodeDraft(self.action, outputs, self._args(), symbol=symbol) for symbol in self.symbols
        ]
        return [*made, *(self.also.drafts(metadata) if self.also is not None else ())]

    def at_home(self) -> "Served":
        """With the multiple that the market's source has."""
        if not all(symbol.endswith(".HK") for symbol in self.symbols):
            return self
        figures = tuple("pe_lyr" if one == "pe_ttm" else one for one in self.figures)
        also = self.also.at_home() if self.also is not None else None
        return replace(self, figures=figures, also=also)

    def _args(self) -> Mapping[str, JsonValue]:
        if self.action == "query":
            return {"period": self.period}
        if self.days is None:
            return {}
        first, last = self.days.first, self.days.last
        assert isinstance(last, date)  # noqa: S101 — windows of days end on one
        start = first if isinstance(first, date) else _SINCE
        return {"start_date": start.isoformat(), "end_date": last.isoformat()}


Meant = Query | Served | OtherTool | Several


def tool(request: Request, market: Market) -> OtherTool:
    """茅台MACD, 福耀玻璃简介, 茅台持有评分: what one tool says of companies."""
    symbols = listed(request.ents)
    if request.when is not None and not request.when.lately:
        raise UnusedError("when")
    if request.indicators:
        if request.tools:
            raise UnusedError("tools")
        words = tuple(dict.fromkeys(request.indicators))
        return OtherTool(action="indicator", symbols=symbols, text=" ".join(words).strip())
    if len(set(request.tools)) != 1:
        raise UnusedError("tools")
    action = request.tools[0]
    return OtherTool(action=action, symbols=symbols, text=_SOUGHT.get(action, ""))


def prices(request: Request, market: Market) -> Served:
    """茅台近一年走势: every close of those days."""
    symbols = listed(request.ents)
    figures = [one for one in request.mets if one != "close"]
    if any(is_of_days(one) or ":" in one for one in figures):
        raise UnusedError("figures of a course")
    if figures and request.when is not None:
        raise UnusedError("figures of a course")
    also = Served("query", symbols, tuple(figures)) if figures else None
    return Served("price_history", symbols, (), _days(request.when), also)


def price_course(request: Request, market: Market) -> Served:
    """茅台走势 is of its price; 净利润走势 is no price's."""
    if set(request.mets) - {"close"}:
        raise UnusedError("figures of a course")
    return prices(request, market)


def _days(time: Time | None) -> When | None:
    if time is None:
        return None
    days = time.days
    if days is None or (days.last is None and days.kind not in ("lastn", "all")):
        raise UnusedError("when")
    return None if days.kind == "all" else days


def consensus(request: Request, market: Market) -> Served:
    """茅台机构预期净利润, 茅台2027年预测净利润: what analysts expect, of each year or of one."""
    figures = tuple(request.mets) or ("net_profit",)
    if not all(one in _EXPECTED or is_of_years(one) for one in figures):
        raise UnusedError("figures expected")
    if any(":" in one for one in figures):
        raise UnusedError("figures expected")
    time = request.when
    year = f"{_year_of(time)}年" if time is not None and not time.lately else ""
    return Served("query", listed(request.ents), figures, period=f"{year}预期")


def _year_of(time: Time) -> int:
    """The year said: a fiscal one, or 今年, which is not over."""
    when, days = time.periods, time.days
    if when is not None and when.kind == "years" and isinstance(when.first, int):
        if when.first == when.last:
            return when.first
    elif days is not None and isinstance(days.first, date) and isinstance(days.last, date):
        begins = days.first == date(days.first.year, 1, 1)
        if begins and days.last.year == days.first.year:
            return days.first.year
    raise UnusedError("when")


def peers(request: Request, market: Market) -> Served:
    """茅台和同行比: beside the companies of its industry."""
    if any(":" in one for one in request.mets):
        raise UnusedError("peers")
    if request.mets and not ("bi" in request.marks or "peers" in request.asks):
        raise UnusedError("peers")  # 海康威视的行业、市值: its industry is asked
    return Served("compare", listed(request.ents), tuple(request.mets))


def of_indexes(request: Request, market: Market) -> Served | None:
    """恒生指数上个月, 上证指数: all that is asked of an index are its prices; None of companies."""
    if request.said - EASY - {"when", "ents"} or not request.ents:
        return None
    symbols = listed(request.ents)
    if any(market.book.row(one).kind != "index" for one in symbols):
        return None
    if request.when is not None:
        return Served("price_history", symbols, (), _days(request.when))
    return Served("query", symbols, ("close", "pct_change"))


def of_periods(request: Request, market: Market) -> Served | None:
    """茅台2016年三季度的市盈率: a multiple at the last session of one report's period; None of any
    other figure or time.
    """
    time = request.when
    when = time.periods if time is not None else None
    if request.said - EASY - {"ents", "mets", "when"} or not (request.ents and request.mets):
        return None
    if any(":" in one or is_of_years(one) or is_of_days(one) for one in request.mets):
        return None
    if time is None or time.lately or when is None or when.first != when.last:
        return None
    end = date(when.first, _YEAR_ENDS, 31) if isinstance(when.first, int) else when.first
    if end is None or when.kind not in ("years", "quarters"):
        return None
    period = Period(end.year, end.month // 3).label("zh")
    return Served("query", listed(request.ents), tuple(request.mets), period=period)


SHAPES: tuple[Shape[Served | OtherTool], ...] = (
    shape("ents mark.consensus", "mets when", consensus),
    shape("ents tools | ents indicators", "tools indicators when", tool),
    shape("ents ask.pricetrend", "mets when ask.trend ask.daily series", prices),
    shape("ents ask.trend", "mets when ask.daily series", price_course),
    shape("ents peer | ents ask.peers", "mets ask.peers mark.these mark.bi", peers),
)
