"""Words that mean another thing behind what was told: 当年, 当天 of what was found; 涨了多少 of the
figures that were told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from services.language.lattice import FUNCTION, Token, uncovered
from services.language.numerals import small_number
from services.query.algebra.nodes import LATEST, OWN, Change, Metric, Over, Query, When, figures_in
from services.query.reading.figures_said import base, is_of_days, is_of_years
from services.query.reading.figures_told import figures_told, is_of_companies, time_of
from services.query.reading.follow_peaks import two_extremes
from services.query.reading.follow_rows import has_winner
from services.query.reading.follow_times import years_told
from services.query.reading.phrases import Time, said_as
from services.query.reading.tagging import Lattice
from services.query.reading.time_forms import LAST_YEAR, SAME_YEAR, SAME_YEARS, YEAR_BEFORE
from services.query.reading.times_joined import in_year, that_year, year_of

_POINTING_BACK = frozenset({"follow", FUNCTION})
_POINTING, _BESIDE = frozenset({"thatyear", "thatday"}), frozenset({"daybefore", "dayafter"})
# Words that point at several years that were told.
_YEARS, _PAIR = frozenset({"thoseyears", "bothyears"}), 2
# What is asked of a span from the one to the other, no fold of the two.
_SPANNING = frozenset({"diff", "mult", "excess", "growth", "grew", "ret", "cagr", "gain"})
# So much likelier it asks how the figure went between the years told than of each year.
_ITS_OWN = 0.5


# And 16: two figures of a year, and nothing else.
_SHORT_YEAR = re.compile(
    r"\s*(?:(?:and|then|or|what about|how about|那|那么)\s*)?(1\d)(?:年?呢)?[?？.。!！ ]*"
)


# 从最低到最高涨了多少, from that low to that high, behind both: how far the one is from the other.
_BETWEEN = {
    "最高比最低高百分之多少": re.compile(
        r"从?[那这]?个?最?低(?:点|价|位|收盘价?)?涨?[到至][那这]?个?最?高(?:点|价|位|收盘价?)?.{0,6}[涨升].*"
        r"|.*\bfrom (?:that|the|its) low\w*(?: close)? to (?:that|the|its) high.*"
    ),
    "最低比最高低百分之多少": re.compile(
        r"从?[那这]?个?最?高(?:点|价|位|收盘价?)?跌?[到至][那这]?个?最?低(?:点|价|位|收盘价?)?.{0,6}跌.*"
        r"|.*\bfrom (?:that|the|its) high\w*(?: close)? to (?:that|the|its) low.*"
    ),
}
# 从低到高排, behind the first so many: those, in that order, where 升序 is how the list is made.
_IN_ORDER = re.compile(r"(?:那|再|请|帮我)?按?[从由][低高大小多少]到[低高大小多少](?:来?排.{0,3})?")
_DAYS_MOVE = Metric(id="pct_change", when=OWN)
# 哪家是银行, which ones are banks: of those that were told.
_WHICH_ARE = re.compile(r"(?:那|那么)?(?:哪[家些只个]|哪几[家只个]|谁)是(?!最|第)")


# 那最大跌幅呢, behind the one session it rose most: of one session too.
_LARGEST_MOVE = re.compile(r"(?<!单日)(?<!日内)(?=最大的?(?:跌幅|涨幅|升幅))")


def with_what_was_told(text: str, before: Sequence[Query]) -> str:
    """And 16, behind something of 2015 without a bound: 2016. 哪家是银行, behind a list: 其中."""
    if two_extremes(before) is not None:
        said = (put for put, one in _BETWEEN.items() if one.fullmatch(text.lower()))
        text = next(said, text)
    if before and before[-1].rows == "companies" and before[-1].take and _IN_ORDER.fullmatch(text):
        return f"这几家{text}"
    if before and before[-1].rows == "days" and before[-1].ordered_by == (_DAYS_MOVE,):
        text = _LARGEST_MOVE.sub("单日", text)
    if before and before[-1].take is not None and _WHICH_ARE.match(text):
        return f"其中{text}"
    said = _SHORT_YEAR.fullmatch(text.lower()) if before else None
    if said is None or before[-1].where is not None or before[-1].rows != "companies":
        return text
    time = time_of(before[-1])
    if time is None or year_of(time) is None or not before[-1].show:
        return text
    return f"{text[: said.start(1)]}20{text[said.start(1) :]}"


def as_spoken_before(lattice: Lattice, before: Sequence[Query], today: date) -> Lattice:
    """The words as they are meant behind the turns before."""
    if before:
        lattice = _as_set_against(lattice)
        for meant in (_of_its_span, _of_its_years, _of_its_year, _moved_most, _of_its_rows):
            lattice = meant(lattice, before[-1], today)
    there = _as_those_years(_as_that_time(lattice, goes_on=bool(before)), before)
    return _as_grown(_as_told(there, before), before, today)


# 这三天, 那几年: so many of the rows that were told.
_THOSE_ROWS = re.compile(r"[这那](?P<count>几|[两二三四五六七八九十]|\d{1,2})(?P<unit>[天年])")
_ROWS_OF = {"天": ("days", "thatday"), "年": ("years", "thatyear")}


def _of_its_rows(lattice: Lattice, last: Query, _: date) -> Lattice:
    """这三天成交量, behind the three days it fell most: of those, and not of the newest three."""
    said = _THOSE_ROWS.search(lattice.text)
    if said is None or last.take is None or last.fold:
        return lattice
    rows, mark = _ROWS_OF[said["unit"]]
    is_of_all = said["count"] == "几" or small_number(said["count"]) == last.take.count
    if last.rows != rows or not is_of_all:
        return lattice
    start, end = said.span()
    these = Token("follow", start, start + 1, "these", 1.0)
    return _put(lattice, [these, Token("follow", start + 1, end, mark, 1.0)])


def _moved_most(lattice: Lattice, last: Query, _: date) -> Lattice:
    """跌得最厉害的是哪年, 跌了多少, in which year did it fall most: by the growth of the figure of
    reports that was told, or tested.
    """
    told = figures_told(last) or [str(one) for expr in last.show for one in figures_in(expr)]
    figures = {base(one) for one in told}
    is_of_year = any(one.sem == "whichyear" for one in lattice.has("ask"))
    if not is_of_year or len(figures) != 1 or lattice.has("METRIC"):
        return lattice
    (figure,) = figures
    if not is_of_years(figure) or is_of_days(figure):
        return lattice
    made = list[Token]()
    for one in lattice.has("best"):
        of, _of, way = str(one.sem).partition("-")
        if of == "pct_change":
            made += [
                Token("METRIC", one.start, one.start + 1, figure, 1.0),
                Token("ask", one.start + 1, one.start + 2, "growth", 1.0),
                Token("sup", one.start + 2, one.end, way, 1.0),
            ]
    end = made[-1].end if made else len(lattice.text)
    asked = [one for one in lattice.has("ask") if one.sem == "ret" and one.start >= end]
    made += [replace(one, cat=FUNCTION, sem=None) for one in asked]  # that is what is told
    return _put(lattice, made)


def _as_set_against(lattice: Lattice) -> Lattice:
    """Versus 2015, at the head of a turn: what was told against that; between two it joins them."""
    said = [(one.start, one.end) for one in lattice.has("rel") if one.sem == "bi" and not one.start]
    kept = [one for one in lattice.tokens if one.cat != "join" or (one.start, one.end) not in said]
    return Lattice(lattice.text, tuple(kept), lattice.unread)


# The edges of a price, where no figure is named; 最大, 最多 are of how far it went.
_EDGES = frozenset(
    {"最高", "最低", "最高的", "最低的", "highest", "lowest", "the highest", "the lowest"}
)
# The price it began from, or the last of its sessions: 期末收盘多少, 最后一个交易日收在多少.
_AT_EDGE = re.compile(
    r"(?:(?P<first>(?:期|区间|阶段)初|年初(?=的?(?:股价|收)))|(?:期|区间|阶段)末|最后一个?交易日)的?"
    r"|(?:on )?(?:the )?last (?:trading day|trading session|session)(?:'s)?"
)


# 当年年底
_END_OF_IT = re.compile("当年年?[底末初]")


def _of_its_year(lattice: Lattice, last: Query, today: date) -> Lattice:
    """比去年高吗, behind a figure of last year: against the one before it; 同年股价涨了多少: how a
    price went in the year that was told.
    """
    told = _years_of(last, today)
    if told is None:
        return lattice
    year = year_of(told) if that_year(told) == told else None
    made = list[Token]()
    priced = {one.sem for one in lattice.has("METRIC", "ask") if one.is_sure} & _PRICED
    if priced and not _tells_prices(last):
        made += _then(lattice, told, year)
    made += _before_it(lattice, year) if year else ()
    return _put(lattice, made)


def _before_it(lattice: Lattice, year: int) -> Iterator[Token]:
    """比去年, 是上一年的: the year before."""
    rel = {one.end for one in lattice.has("rel") if one.sem in ("bi", "shi")}
    compared = {at + len(lattice.text[at:]) - len(lattice.text[at:].lstrip()) for at in rel}
    for one in lattice.has("WHEN", "edit"):
        word = lattice.text[one.start : one.end].strip()
        is_last = word in LAST_YEAR and _year_said(one) == year
        if one.start in compared and (word in YEAR_BEFORE or is_last):
            yield replace(one, cat="WHEN", sem=_whole_year(year - 1), cost=1.0)


def _then(lattice: Lattice, told: Time, year: int | None) -> Iterator[Token]:
    """同年, 那年年底: the year that was told, and a day of it; 同期: the years that were."""
    dated = [one for one in lattice.has("WHEN") if one.is_sure]
    for one in lattice.has("WHEN", "follow"):
        word = lattice.text[one.start : one.end].strip()
        if year and isinstance(one.sem, Time) and _END_OF_IT.match(word):
            yield replace(one, sem=in_year(one.sem, year))
        elif word in (SAME_YEAR if year else SAME_YEARS):
            beside = [two for two in dated if (two.start, two.end) != (one.start, one.end)]
            if not beside:
                yield replace(one, cat="WHEN", sem=told, cost=1.0)
            for two in beside if year else ():
                is_next = one.start <= two.start <= one.end < two.end
                if is_next and isinstance(two.sem, Time) and not two.sem.year_said:
                    yield replace(two, start=one.start, sem=in_year(two.sem, year or 0))


def _years_of(last: Query, today: date) -> Time | None:
    """The one year, or the years, of the figures of companies told last."""
    if last.take or last.where or last.rows not in ("companies", "years"):
        return None
    time = time_of(last)
    if time is None:  # the newest reports
        return _whole_year(today.year - 1) if _tells_reports(last) else None
    if (one := that_year(time)) is not None:
        return one
    when = time.periods
    ends = _ends_of(when, today) if when is not None else None
    if ends is None:
        return None
    first, end = ends
    return Time(
        When(kind="years", first=first, last=end),
        When(kind="days", first=date(first, 1, 1), last=date(end, 12, 31)),
    )


def _ends_of(when: When, today: date) -> tuple[int, int] | None:
    """The first and the last of the fiscal years it is made of, the newest that of last year."""
    first, end = when.first, when.last
    if when.kind == "lastn" and when.unit == "years" and when.count:
        first, end = today.year - when.count, today.year - 1
    if not (isinstance(first, int) and isinstance(end, int)) or when.only:
        return None
    return first, end


def _whole_year(year: int) -> Time | None:
    return that_year(Time(When(kind="years", first=year, last=year)))


# What is asked of a price.
_PRICED = frozenset({"close", "ret", "pct_change"})


def _year_said(one: Token) -> int | None:
    return year_of(one.sem) if isinstance(one.sem, Time) else None


def _tells_prices(last: Query) -> bool:
    return any(is_of_days(base(one)) for one in figures_told(last))


# 后三年, 前两年: so many of the years that were told.
_OF_YEARS = re.compile(r"(?P<way>前|头|后|最后)(?P<count>[两二三四五六七八九])年")


def _of_its_years(lattice: Lattice, last: Query, today: date) -> Lattice:
    """只看后三年, behind a figure year by year: the last of those."""
    said, window = _OF_YEARS.search(lattice.text), last.window
    if said is None or window is None or last.rows != "years" or last.take or last.where:
        return lattice
    ends, count = _ends_of(window, today), small_number(said["count"])
    if ends is None or count > ends[1] - ends[0]:
        return lattice
    first, end = ends
    first, end = (first, first + count - 1) if said["way"] in "前头" else (end - count + 1, end)
    time = Time(When(kind="years", first=first, last=end))
    return _put(lattice, [Token("WHEN", said.start(), said.end(), time, 1.0)])


def _of_its_span(lattice: Lattice, last: Query, today: date) -> Lattice:
    """最低是多少, behind how far a price went in a time: the lowest close; 最后一个交易日收在多少:
    of that time.
    """
    span, of = _span_of_price(last)
    if span is None:
        return lattice
    is_bare = not any(one.is_sure for one in lattice.has("METRIC", "ENT"))
    if isinstance(last.show[0], Over):  # 最低呢: the other extreme, however it is said; or its day
        is_bare = is_bare and any(one.sem == "whichday" for one in lattice.has("ask"))
    made = list(_edges_of_price(lattice, of)) if is_bare and of is not None else []
    made += _todays_close(lattice)
    at = _AT_EDGE.search(lattice.text)
    if at is not None and not any(one.is_sure for one in lattice.has("WHEN")):
        day = span.first if at["first"] else span.last or today
        if isinstance(day, date):
            on_day = When(kind="days", first=day, last=day) if day < today else LATEST
            made.append(Token("WHEN", at.start(), at.end(), Time(days=on_day), 1.0))
    return _put(lattice, made)


def _put(lattice: Lattice, made: Sequence[Token]) -> Lattice:
    """With those words in the place of whatever lies where they do."""
    kept = [
        one for one in lattice.tokens
        if all(one.end <= new.start or new.end <= one.start for new in made)
    ]  # fmt: skip
    return _of_words(lattice, [*kept, *made]) if made else lattice


def _todays_close(lattice: Lattice) -> Sequence[Token]:
    """今天收盘多少, behind what was told of another time: no more than the day and the price."""
    sure = [one for one in lattice.tokens if one.is_sure and one.cat != FUNCTION]
    said = {(one.cat, one.sem) for one in sure if one.cat not in ("rel", "follow", "went")}
    said -= {("ask", "what"), ("METRIC", "close"), ("ask", "ret")}
    if said != {("edit", "nowadays")} or not any(one.cat in ("METRIC", "ask") for one in sure):
        return ()
    days = [one for one in sure if one.cat == "edit"]
    return [replace(one, cat="WHEN", sem=Time(days=LATEST)) for one in days]


def _edges_of_price(lattice: Lattice, told: str) -> Iterator[Token]:
    """最高 as 最|高, the superlative and the price it is of; 第二高 as 价|第二|高. Behind a highest
    high the lowest is of the lows.
    """

    def price(start: int, end: int, way: object) -> Token:
        of = told if told == "close" else "low" if way == "asc" else "high"
        return Token("METRIC", start, end, of, 1.0)

    both = [
        one for one in lattice.has("agg") if lattice.text[one.start : one.end].endswith("收盘价")
    ]
    for one in both if len(both) == 1 else ():  # 最高收盘价是哪天: of the closes
        way = "desc" if one.sem == "max" else "asc"
        yield Token("sup", one.start, one.end - 3, way, 1.0)
        yield Token("METRIC", one.end - 3, one.end, "close", 1.0)
    is_of_today = ("edit", "nowadays") in {(one.cat, one.sem) for one in lattice.tokens}
    for one in lattice.has("sup") if not is_of_today else ():
        if lattice.text[one.start : one.end] in _EDGES and one.is_sure:
            middle = (one.start + one.end) // 2
            yield replace(one, end=middle)
            yield price(middle, one.end, one.sem)
    ways = {one.start: one for one in lattice.has("ordsup") if lattice.text[one.start] in "高低"}
    for one in lattice.has("ORD"):
        if one.end in ways and one.end - one.start > 1:
            yield price(one.start, one.start + 1, ways[one.end].sem)
            yield replace(one, start=one.start + 1)
            yield ways[one.end]


def _span_of_price(last: Query) -> tuple[When | None, str | None]:
    """The time in which it told how far the price of one company went, or an edge of it; and of
    which price that is.
    """
    told = last.show[0] if len(last.show) == 1 and is_of_companies(last) else None
    match told:
        case Change(how="rate", of="close", since=since, until=until) if since == until:
            return since, "close"
        case Over(of="close" | "high" | "low" as of, window=window):
            return window, of
        case Metric(id="close" | "high" | "low" as of, when=When(kind="own")):
            return last.window, of
        case Metric(id="pct_change", when=When(kind="own")):
            return last.window, None
        case _:
            return None, None


def _as_told(lattice: Lattice, before: Sequence[Query]) -> Lattice:
    """That one, behind which of several is first: the first of them; 比恒指强多少, behind how far a
    price went: by how much more. Behind others the one is no word of its own, and nobody knows
    which way is better.
    """
    told = figures_told(before[-1]) if before else []
    holds = {
        "winner": bool(before) and has_winner(before[-1]),
        "better": bool(told) and {*told} <= {"close:ret", "pct_change"},
    }
    spans = [(one.start, one.end) for one in lattice.has(*holds) if holds[one.cat]]
    kept = [
        replace(one, cat="ask") if one.cat == "better" else one
        for one in lattice.tokens
        if holds.get(one.cat, one.cat not in _POINTING_BACK or (one.start, one.end) not in spans)
    ]
    return _of_words(lattice, kept) if lattice.has(*holds) else lattice


def _of_words(lattice: Lattice, kept: Sequence[Token]) -> Lattice:
    return Lattice(lattice.text, tuple(kept), tuple(uncovered(lattice.text, kept)))


def _as_that_time(lattice: Lattice, *, goes_on: bool) -> Lattice:
    """What points at a time found before points at nothing else: no 当年 is this year then. At the
    beginning it points only where the turn goes on from another.
    """
    pointing = {
        (one.start, one.end)
        for one in lattice.has("follow")
        if one.sem in _POINTING and (goes_on or one.start)
    }
    compared = {one.end for one in lattice.has("rel") if one.sem == "bi"}  # 较前一天涨了多少
    beside = [one for one in lattice.has("edit") if goes_on and one.sem in _BESIDE]
    pointing |= {(one.start, one.end) for one in beside if one.start not in compared}
    kept = tuple(
        one
        for one in lattice.tokens
        if (one.start, one.end) not in pointing or one.cat in ("follow", "edit")
    )
    return Lattice(lattice.text, kept, lattice.unread) if pointing else lattice


def _as_those_years(lattice: Lattice, before: Sequence[Query]) -> Lattice:
    """这几年平均, both years, from the first to the last: the years that were told; where none were
    such a word points at nothing.
    """
    said = [one for one in lattice.has("follow") if one.sem in _YEARS]
    if not said:
        return lattice
    kept = [one for one in lattice.tokens if one not in said]
    for one in said:
        years = years_told(before)
        is_pair = one.sem != "bothyears" or len(years) == _PAIR
        if years[1:] and is_pair:
            is_both = one.sem == "bothyears"
            is_apart = is_both and years[-1] - years[0] > 1
            spans = lattice.has("rel") or any(ask.sem in _SPANNING for ask in lattice.has("ask"))
            only = years if is_apart and not spans else ()
            told = When(kind="years", first=years[0], last=years[-1], only=only)
            kept = [two for two in kept if not (one.start <= two.start and two.end <= one.end)]
            # 这两年涨了多少: from the one to the other, which are told already
            made = replace(one, cat="WHEN", sem=Time(periods=told))
            is_move = is_both and lattice.has("went")
            kept.append(replace(one, cat=FUNCTION, sem=None) if is_move else made)
    if len(kept) != len(lattice.tokens) - len(said):  # the difference between them: no notion
        kept = [one for one in kept if (one.cat, one.sem) != ("tool", "knowledge")]
    return _of_words(lattice, kept)


def _as_grown(lattice: Lattice, before: Sequence[Query], today: date) -> Lattice:
    """2015年呢，涨了还是跌了 behind a net profit: whether that grew; a price is named."""
    went = {(one.start, one.end) for one in lattice.has("went")}
    if before and _tells_a_sum(before[-1]):  # 营收翻了几倍: over those years
        spans = [
            replace(one, sem="timesover")
            for one in lattice.has("ask")
            if one.sem == "mult" and (one.start, one.end) in went
        ]
        return _put(lattice, spans)
    named = any(one.is_sure for one in lattice.has("ENT", "METRIC"))
    is_past = all(_is_reported_year(one.sem, today) for one in lattice.has("WHEN"))
    if not went or named or not is_past or not before:
        return lattice
    is_dated = lattice.has("WHEN") or any(one.sem in _POINTING for one in lattice.has("follow"))
    if not _tells_reports(before[-1]) and (is_dated or not _closed_at_two(before[-2:])):
        return lattice
    turned = [
        replace(one, sem="growth" if _how_grown(one, lattice) == "grew" else "timesover")
        if one.sem == "ret" and (one.start, one.end) in went
        else replace(one, cat="ask", sem=_how_grown(one, lattice), cost=one.cost - _ITS_OWN)
        if one.cat == "went"
        else one
        for one in lattice.tokens
    ]
    return Lattice(lattice.text, tuple(turned), lattice.unread)


def _tells_a_sum(last: Query) -> bool:
    told = last.show[0] if len(last.show) == 1 else None
    return isinstance(told, Over) and told.window.kind == "years"


def _how_grown(word: Token, lattice: Lattice) -> str:
    """涨了几倍 and 降了几个百分点 are of the whole time that was told."""
    said = lattice.text[word.start : word.end]
    if "倍" in said or "times" in said:
        return "timesover"
    return "gain" if "点" in said or "points" in said else "grew"


def _is_reported_year(said: object, today: date) -> bool:
    """Whether reports of it are there to be asked about: of 今年 only a price went up."""
    when = said.periods if isinstance(said, Time) else None
    last = when.last if when is not None and when.kind == "years" else None
    return isinstance(last, int) and last < today.year


def _closed_at_two(before: Sequence[Query]) -> bool:
    """Whether the last two turns told closes of one company on two days."""
    told = [one.show[0] if len(one.show) == 1 else None for one in before]
    closes = [one for one in told if isinstance(one, Metric) and one.id == "close"]
    is_of_two = len(closes) == len(before) == 2 and closes[0] != closes[1]
    return is_of_two and before[0].scope == before[1].scope


def _tells_reports(last: Query) -> bool:
    """Whether it told figures of reports of companies, and nothing else."""
    told = [said_as(one) for one in last.show]
    names = [base(one[0]) for one in told if one is not None]
    reported = [one for one in names if is_of_years(one) and not is_of_days(one)]
    return is_of_companies(last) and bool(told) and len(reported) == len(told)
