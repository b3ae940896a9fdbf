"""The head of the company page: price, figures at that price, and the basis they all stand on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from services.core.boards import BOARDS, part_of_code
from services.core.catalogue import metric_words
from services.core.claim_names import is_of_day
from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.industries import industry_label
from services.core.ledger import Ledger
from services.core.periods import Period
from services.core.requests import ValuationRequest
from services.core.source_marks import priced_on
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.fundamentals import financial_data
from services.market.history import PriceHistory, price_history
from services.market.listings import other_listings
from services.market.outages import why_missing
from services.market.quotes import Quote, quote
from services.market.repricing import reprice
from services.market.valuation import valuation_figures
from services.views.parts import Parts
from services.views.stock import stats_table
from services.views.table import (
    Table,
    claim_words,
)
from services.views.view import Link, Stat

_YEAR = timedelta(days=365)
_AT_PRICE = ("market_cap", "pe_ttm", "pb", "dy_l")
_OF_AN_INDEX = ("pe_ttm", "pe_lyr", "pb")
_EXCHANGES: Mapping[str, Text] = {
    "SH": Text("上交所", "Shanghai"),
    "SZ": Text("深交所", "Shenzhen"),
    "BJ": Text("北交所", "Beijing"),
}
_MARKETS: Mapping[str, Text] = {"HK": Text("港股", "Hong Kong"), "US": Text("美股", "US")}
Adjustment = Literal["additive", "forward", "splits", "none"]
# How the notes of bars begin, and what they say; the longer beginnings first.
_NOTED: tuple[tuple[str, Adjustment], ...] = (
    ("additive", "additive"),
    ("加法前复权", "additive"),
    ("split_only", "splits"),
    ("仅按拆股", "splits"),
    ("前复权", "forward"),
    ("none", "none"),
    ("不复权", "none"),
)
_ADJUSTED: Mapping[Adjustment, Text] = {
    "additive": Text("加法前复权", "additive"),
    "splits": Text("仅按拆股复权", "splits only"),
    "forward": Text("前复权", "forward"),
    "none": Text("不复权", "none"),
}


def adjustment_of(note: str) -> Adjustment | None:
    """How prices with that note are adjusted; None where it does not say."""
    return next((way for head, way in _NOTED if note.startswith(head)), None)


@dataclass(frozen=True, slots=True)
class HeadBasis:
    """What every figure of the page stands on; null where there is nothing of the kind.

    `given`: the source's own multiples, where those shown were priced anew; `valued_on`: the day of
    the price that these stand on.
    `per_share`, `reports`: the report periods behind book value and statements. `lacking`: how
    many sessions of the year have no bar though there was trading. `accounts`: the currency of the
    reports where it is not the price's.
    """

    priced_on: date | None
    valued_on: date | None
    given: tuple[Claim, ...]
    restated: bool
    per_share: Text | None
    reports: Text | None
    adjusted: Text | None
    lacking: int
    accounts: str | None


@dataclass(frozen=True, slots=True)
class CompanyHead:
    """One company at one price. `about` is its industry and market part in words, `siblings` the
    same company elsewhere. `year` are the lowest and highest price of a year.
    """

    symbol: str
    name: Text
    about: tuple[Text, ...]
    industry: str | None
    siblings: tuple[Link, ...]
    is_company: bool
    quote: Quote
    at_price: Mapping[str, Claim]
    stats: tuple[Stat, ...]
    year: tuple[Figure, Figure]
    basis: HeadBasis

    @property
    def has_figures(self) -> bool:
        """Whether the source has anything of it: a price or one of the figures."""
        shown = (self.quote.price, *(stat.figure for stat in self.stats))
        return any(isinstance(one, Claim) for one in shown)

    def table(self) -> Table:
        """The head as a table for exports."""
        year = (Stat(metric_words(one.metric), one) for one in self.year)
        return stats_table(self.quote, (*self.stats, *year))


def gather_head(parts: Parts, ledger: Ledger, symbol: Symbol) -> CompanyHead:
    """Everything the head shows, in the run of `ledger`. Raises: ProviderError (see `quote`)."""
    shown = quote(ledger, symbol, parts.names, parts.calendar, parts.clock)
    anew = reprice(ledger, symbol, shown.price)
    row = parts.names.row(symbol)
    bars = _year_of_bars(parts, ledger, symbol, shown)
    roe, reports, accounts = _return(parts, ledger, symbol)
    stats = (
        _index_stats(parts, ledger, symbol, shown.price)
        if not symbol.is_company
        else _stats(ledger, symbol, shown, anew, roe)
    )
    return CompanyHead(
        symbol=symbol.value,
        name=parts.names.text(symbol),
        about=_about(symbol, row.industry if row else None),
        industry=row.industry if row else None,
        siblings=tuple(
            Link(one, parts.names.name(one)) for one in other_listings(parts.names, symbol)
        ),
        is_company=symbol.is_company,
        quote=shown,
        at_price=anew,
        stats=stats,
        year=_extremes(ledger, symbol, bars),
        basis=_basis(shown, anew, bars, reports, accounts),
    )


def _about(symbol: Symbol, industry: str | None) -> tuple[Text, ...]:
    if symbol.is_index:
        return (Text("指数", "Index"),)
    told = [industry_label(industry)] if industry else []
    if symbol.market != "CN":
        return (*told, _MARKETS[symbol.market])
    code, _, exchange = symbol.value.partition(".")
    part = part_of_code(code, exchange)
    where = _EXCHANGES[exchange]
    board = BOARDS[part].label if part and part != "bse" else None
    told.append(Text(where.zh + board.zh, f"{where.en} {board.en}") if board else where)
    return tuple(told)


def _year_of_bars(
    parts: Parts, ledger: Ledger, symbol: Symbol, shown: Quote
) -> PriceHistory | Text:
    price = shown.price
    last = price.as_of if isinstance(price, Claim) else parts.clock.now().date()
    try:
        return price_history(ledger, symbol, last - _YEAR, last, calendar=parts.calendar)
    except (NoDataError, ProviderError) as error:
        return why_missing(ledger, error)


def _extremes(ledger: Ledger, symbol: Symbol, bars: PriceHistory | Text) -> tuple[Figure, Figure]:
    return (
        _extreme(ledger, symbol, bars, "low_52w", "low"),
        _extreme(ledger, symbol, bars, "high_52w", "high"),
    )


def _extreme(
    ledger: Ledger, symbol: Symbol, bars: PriceHistory | Text, metric: str, price: str
) -> Figure:
    if isinstance(bars, Text):
        return Missing(metric=metric, symbol=symbol.value, reason=bars)
    formula = formula_for(metric, "min(values)" if price == "low" else "max(values)")
    days = bars.bars[0].date, bars.bars[-1].date
    window = ledger.window("values", bars.call, symbol.value, price, *days)
    made = ledger.derive(formula, (), series=(window,)) if formula else None
    no_bars = Text("没有日线", "no daily bars")
    return made or Missing(metric=metric, symbol=symbol.value, reason=no_bars)


def _stats(
    ledger: Ledger, symbol: Symbol, shown: Quote, anew: Mapping[str, Claim], roe: Figure
) -> tuple[Stat, ...]:
    figures: dict[str, Figure] = {
        name: anew.get(name) or getattr(shown, name) for name in _AT_PRICE
    }
    names: list[str] = list(_AT_PRICE)
    if isinstance(figures["pe_ttm"], Missing):
        figures["pe_lyr"] = anew.get("pe_lyr") or shown.pe_lyr
        names.insert(1, "pe_lyr")
    price = shown.price
    told = [Stat(_words(one := figures[name]), one, _is_apart(one, price)) for name in names]
    if isinstance(roe, Missing):
        try:
            answer = ledger.fetch(ValuationRequest(symbol=symbol.value))
            roe = valuation_figures(ledger, answer, symbol.value, ("roe",))["roe"]
        except (NoDataError, ProviderError):
            pass
    return (*told, Stat(_words(roe), roe))


def _index_stats(parts: Parts, ledger: Ledger, symbol: Symbol, price: Figure) -> tuple[Stat, ...]:
    """The multiples of an index or a fund, where a live source has them; nothing stands in."""
    request = ValuationRequest(symbol=symbol.value)
    settings = parts.settings
    if settings.mode != "live" or not (settings.frozen or parts.chain.has_source(request)):
        return ()
    try:
        answer = ledger.fetch(request)
    except (NoDataError, ProviderError):
        return ()
    found = valuation_figures(ledger, answer, symbol.value, _OF_AN_INDEX)
    given = (one for one in found.values() if isinstance(one, Claim))
    return tuple(Stat(_words(one), one, _is_apart(one, price)) for one in given)


def _words(figure: Figure) -> Text:
    return claim_words(figure) if isinstance(figure, Claim) else metric_words(figure.metric)


def _is_apart(figure: Figure, price: Figure) -> bool:
    if not isinstance(figure, Claim) or not isinstance(price, Claim):
        return False
    return figure.as_of != price.as_of


def _return(parts: Parts, ledger: Ledger, symbol: Symbol) -> tuple[Figure, Text | None, str | None]:
    """The return on equity of the newest annual report, that report's name, its currency."""
    none = Missing(metric="roe", symbol=symbol.value, reason=Text("没有年报", "no annual report"))
    if not symbol.is_company:
        return none, None, None
    try:
        found = financial_data(
            ledger, symbol, ("roe", "net_profit"), period="latest", count=4, clock=parts.clock
        )
    except (NoDataError, ProviderError) as error:
        reason = why_missing(ledger, error)
        return none.model_copy(update={"reason": reason}), None, None
    for name, figure in found.figures["roe"].items():
        if not isinstance(figure, Claim) or is_of_day(figure) or figure.period != name:
            continue
        period = Period.parse(name)
        if period.basis == "report" and period.quarter == 4:
            told = Text(period.label("zh"), period.label("en"))
            away = found.currency if found.currency != symbol.currency else None
            return figure, told, away
    return none, None, None


def _basis(
    shown: Quote,
    anew: Mapping[str, Claim],
    bars: PriceHistory | Text,
    reports: Text | None,
    accounts: str | None,
) -> HeadBasis:
    price = shown.price
    first = shown.pe_ttm if isinstance(shown.pe_ttm, Claim) else shown.pe_lyr
    given = tuple(one for one in (first, shown.pb) if isinstance(one, Claim))
    note = "" if isinstance(bars, Text) else bars.note
    lost = () if isinstance(bars, Text) else bars.gaps
    since = None if isinstance(bars, Text) else bars.bars[0].date
    return HeadBasis(
        priced_on=price.as_of if isinstance(price, Claim) else None,
        valued_on=priced_on(given[0]) if given else None,
        given=given if anew else (),
        restated=bool(anew),
        per_share=_period_words(shown.pb),
        reports=reports,
        adjusted=_ADJUSTED[way] if (way := adjustment_of(note)) else None,
        lacking=sum(
            gap.sessions
            for gap in lost
            if gap.kind != "suspension" and since is not None and gap.end >= since
        ),
        accounts=accounts,
    )


def _period_words(figure: Figure) -> Text | None:
    if not isinstance(figure, Claim) or figure.period is None:
        return None
    period = Period.parse(figure.period).report
    return Text(period.label("zh"), period.label("en"))
