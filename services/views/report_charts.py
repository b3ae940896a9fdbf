"""The pictures of a report: results by year, the price with its unusual days, peers side by side.

A picture holds ids of claims and nothing else: what it draws is what they say.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.day_words import tell_day
from services.core.record import Record
from services.core.rendering import show
from services.core.text import Language, Text
from services.core.trace import Trace
from services.core.units import UNITS
from services.statements.book import Book, is_annual, method

Shape = Literal["bars", "line"]
_RESULTS = ("revenue", "net_profit")
_PEERED = ("pe_ttm", "pe_lyr", "pb")
# So many peers have room; packs written before 2026-11-28 have eight, whatever there were.
_MOST_PEERS, _FORMER_PEERS, _LEAST = 12, 8, 3
_TITLES = {
    "results": Text("历年营业收入与净利润", "Revenue and net profit by year"),
    "price": Text("收盘价与异动日（圆点）", "Closing price, unusual days as dots"),
    "peers": Text("{}：与同行相比", "{} beside peers"),
    "some": Text("（{all} 家中市值最大的 {shown} 家）", " (the {shown} largest of {all})"),
}
_RANGE = Text("{} · 最高 {} · 最低 {}", "{} · high {} · low {}")
_WIDTH, _HEIGHT, _TOP, _FOOT = 640, 200, 30, 22
# A code of nine letters needs as much.
_NARROW = 66
_COLOURS = ("#1d5b8f", "#d19a3f")
_QUIET, _INK, _DOT = "#c5d3e0", "#43525f", "#c0392b"


class ReportChart(Record):
    """`series` are rows of claim ids, one a name of `names`; `labels` stand under bars. `marks` are
    claims of days that are dotted on a line. `own` is the label that is the subject's. Made again
    of the same claims and trace it is the same: so it is proved.
    """

    block: Literal["chart"] = "chart"
    key: str
    symbol: str
    title: str
    shape: Shape
    names: tuple[str, ...]
    labels: tuple[str, ...] = ()
    series: tuple[tuple[str, ...], ...]
    marks: tuple[str, ...] = ()
    own: str = ""

    @property
    def claims(self) -> tuple[str, ...]:
        """Every claim it draws."""
        return (*(one for row in self.series for one in row), *self.marks)


def charts_of(
    claims: Sequence[Claim], trace: Trace, symbol: str, language: Language, *, former: bool = False
) -> tuple[ReportChart, ...]:
    """Those there is something to draw for; companies are called as the sources call them.
    `former`: as they were before 2026-11-28, for packs of then.
    """
    book = Book.of_claims(claims, symbol)
    names = {
        one: str(said["name"])
        for call in trace.tool_calls
        for one, said in call.labels.items()
        if language == "zh" and said.get("name")
    }
    most = _FORMER_PEERS if former else _MOST_PEERS
    peers = _peers(book, language, names, most)
    found = (_results(book, language), _price(book, language), peers)
    return tuple(one for one in found if one is not None)


def _results(book: Book, language: Language) -> ReportChart | None:
    """Years of both figures in one currency."""
    runs = [{one.period: one for one in book.run(metric) if is_annual(one)} for metric in _RESULTS]
    years = sorted(set(runs[0]) & set(runs[1]), key=str)[-6:]
    units = {run[year].unit for run in runs for year in years}
    if len(years) < _LEAST or len(units) != 1:
        return None
    return ReportChart(
        key="results",
        symbol=book.symbol,
        title=_TITLES["results"].in_language(language),
        shape="bars",
        names=tuple(CATALOGUE[metric].label(language) for metric in _RESULTS),
        labels=tuple(str(year)[:4] for year in years),
        series=tuple(tuple(run[year].claim_id for year in years) for run in runs),
    )


def _price(book: Book, language: Language) -> ReportChart | None:
    closes = book.closes
    if len(closes) < 20:
        return None
    days = {one.as_of: one for one in closes}
    z = [one for one in book.of("return_z") if one.as_of in days]
    return ReportChart(
        key="price",
        symbol=book.symbol,
        title=_TITLES["price"].in_language(language),
        shape="line",
        names=(CATALOGUE["close"].label(language),),
        series=(tuple(one.claim_id for one in closes),),
        marks=tuple(dict.fromkeys(one.claim_id for one in z)),
    )


def _peers(
    book: Book, language: Language, names: Mapping[str, str], most: int
) -> ReportChart | None:
    """The first multiple that the subject and three peers have of one day: all the peers of the
    median, or as many as have room, and the title says of how many.
    """
    for metric in _PEERED:
        own, median = book.one(metric), book.one(f"{metric}_peer_median")
        if own is None or median is None:
            continue
        others = {
            one.symbol: one
            for one in book.inputs(median)
            if one.symbol != book.symbol and one.as_of == own.as_of and one.value > 0
        }
        if len(others) < _LEAST or own.value <= 0 or method(own) != "reported":
            continue
        shown = [own, *list(others.values())[:most]]
        shown.sort(key=lambda one: -one.value)
        called = [names.get(one.symbol, one.symbol) for one in shown]
        name = CATALOGUE[metric].label(language)
        some = ""
        if len(others) > most > _FORMER_PEERS:
            some = _TITLES["some"].in_language(language).format(all=len(others), shown=most)
        return ReportChart(
            key="peers",
            symbol=book.symbol,
            title=_TITLES["peers"].in_language(language).format(name) + some,
            shape="bars",
            names=(name,),
            labels=tuple(called),
            series=(tuple(one.claim_id for one in shown),),
            own=names.get(book.symbol, book.symbol),
        )
    return None


def chart_svg(chart: ReportChart, claims: Mapping[str, Claim], language: Language) -> str:
    """The picture, with its title for those who do not see it. Raises: KeyError for a claim that is
    not given.
    """
    rows = [[claims[name] for name in row] for row in chart.series]
    body = (
        _bars(chart, rows, language)
        if chart.shape == "bars"
        else _line(chart, rows[0], claims, language)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="11" role="img"><title>{escape(chart.title)}</title>'
        f"{body}</svg>"
    )


class _Scale(NamedTuple):
    low: float
    high: float

    def y(self, value: float) -> float:
        """How far down it stands."""
        room = _HEIGHT - _TOP - _FOOT
        return round(_TOP + (self.high - value) / ((self.high - self.low) or 1) * room, 1)


def _bars(chart: ReportChart, rows: Sequence[Sequence[Claim]], language: Language) -> str:
    values = [one.value for row in rows for one in row]
    scale = _Scale(min(0.0, *values), max(0.0, *values))
    step, zero = _WIDTH / max(1, len(chart.labels)), scale.y(0)
    wide = min(64.0, step * 0.8 / len(rows))
    parts: list[str] = []
    for at, label in enumerate(chart.labels):
        middle = step * (at + 0.5)
        for number, row in enumerate(rows):
            left = middle + (number - len(rows) / 2) * wide
            y, told = scale.y(row[at].value), show(row[at], language, "short").text
            colour = _COLOURS[number % 2]
            if chart.own:
                colour = _COLOURS[0] if label == chart.own else _QUIET
            parts.append(
                f'<rect x="{left:.1f}" y="{min(y, zero)}" width="{wide - 3:.1f}" '
                f'height="{max(abs(y - zero), 0.5):.1f}" fill="{colour}"/>'
                f'<text x="{left + wide / 2:.1f}" y="{min(y, zero) - 4:.1f}" text-anchor="middle" '
                f'fill="{_INK}" font-size="9">{escape(told)}</text>'
            )
        parts.append(
            f'<text x="{middle:.1f}" y="{_HEIGHT - 6}" text-anchor="middle" fill="{_INK}" '
            f'font-size="{9 if step < _NARROW else 11}">{escape(label[:10])}</text>'
        )
    if chart.own:
        of = f"{tell_day(rows[0][0].as_of, language)} · {_unit(rows[0][0], language)}"
        parts.append(f'<text x="4" y="11" fill="{_INK}">{escape(of)}</text>')
    if len(rows) > 1:
        parts += [
            f'<rect x="{4 + 110 * at}" y="2" width="9" height="9" fill="{_COLOURS[at % 2]}"/>'
            f'<text x="{17 + 110 * at}" y="11" fill="{_INK}">{escape(name)}</text>'
            for at, name in enumerate(chart.names)
        ]
    return "".join(parts)


def _line(
    chart: ReportChart, row: Sequence[Claim], claims: Mapping[str, Claim], language: Language
) -> str:
    """The newest value stands at the line's end, its unit, highest and lowest above it."""
    scale = _Scale(min(one.value for one in row), max(one.value for one in row))
    step = (_WIDTH - 60) / max(1, len(row) - 1)
    places = {one.as_of: (at * step + 4, scale.y(one.value)) for at, one in enumerate(row)}
    line = " ".join(f"{x:.1f},{y}" for x, y in places.values())
    dots = "".join(
        f'<circle cx="{places[day][0]:.1f}" cy="{places[day][1]}" r="3.5" fill="{_DOT}"/>'
        for day in dict.fromkeys(claims[name].as_of for name in chart.marks)
        if day in places
    )
    unit, ordered = _unit(row[0], language), sorted(row, key=lambda one: one.value)
    told = (show(one, language, "cell").text for one in (ordered[-1], ordered[0]))
    head = _RANGE.in_language(language).format(unit, *told)
    ends = (
        f'<text x="4" y="11" fill="{_INK}">{escape(head)}</text>'
        f'<text x="{_WIDTH - 52}" y="{scale.y(row[-1].value) + 4}" fill="{_INK}" '
        f'font-weight="700">{escape(show(row[-1], language, "cell").text)}</text>'
    )
    days = (
        f'<text x="4" y="{_HEIGHT - 6}" fill="{_INK}">{row[0].as_of}</text>'
        f'<text x="{_WIDTH - 60}" y="{_HEIGHT - 6}" text-anchor="end" fill="{_INK}">'
        f"{row[-1].as_of}</text>"
    )
    path = f'<polyline points="{line}" fill="none" stroke="{_COLOURS[0]}" stroke-width="1.4"/>'
    return path + dots + ends + days


def _unit(claim: Claim, language: Language) -> str:
    unit = UNITS[claim.unit]
    return unit.zh if language == "zh" else unit.en
