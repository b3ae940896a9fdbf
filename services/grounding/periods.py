"""Times as a text writes them; whether a claim is of one is `times`.

`2016年报` `2016Q3` `FY2016` `2016年12月31日` `2014-2016年` `近60个交易日` `May 25, 2017`.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from services.grounding.period_words import (
    ALONE,
    PLAIN_WORDS,
    QUARTERS,
    RELATIVE_YEARS,
    THE_YEAR_BEFORE,
    SaidKind,
    TextTime,
)
from services.language.lexicon import Lexicon
from services.language.numerals import ONE_TO_TWELVE, small_number
from services.language.plain_text import one_of

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _year(text: str) -> int:
    number = int(text)
    return number if number > 99 else number + (1900 if number > 60 else 2000)


_N = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_Y = r"(?:19|20)\d{2}"
_REPORT_ZH = f"{one_of(QUARTERS)}|{one_of(ALONE)}"
_MONTH_EN = rf"(?P<name>{'|'.join(_MONTHS)})(?:[a-z]{{0,6}})\.?"
_NOT_YEAR = (
    r"(?![\d%]|\.\d|,\d{3}(?!\d)|\s?(?:[万亿元倍家股点手只个次名港美]|bn|billion|million|mn|x\b|"
    r"times))"
)


def _read_day(match: re.Match[str]) -> TextTime | None:
    parts = match.groupdict()
    year, month, day = parts.get("year"), parts.get("month"), parts["day"]
    number = _MONTHS.index(parts["name"]) + 1 if parts.get("name") else small_number(month or "0")
    try:
        date(int(year) if year else 2000, number, small_number(day))
    except ValueError:
        return None
    said_year = int(year) if year else None
    return TextTime(*match.span(), "day", said_year, month=number, day=small_number(day))


def _read_month(match: re.Match[str]) -> TextTime | None:
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    name, month = parts.get("name"), parts.get("month")
    number = _MONTHS.index(name) + 1 if name else small_number(month or "0")
    if not 1 <= number <= 12:
        return None
    return TextTime(*match.span(), "month", year, month=number)


def _read_months(match: re.Match[str]) -> TextTime | None:
    """1-9月: year to date when from the first month; else of no report."""
    first, last = int(match["first"]), int(match["last"])
    year = int(match["year"]) if match["year"] else None
    if first != 1 or last not in {3, 6, 9, 12}:
        return TextTime(*match.span(), "never")
    return TextTime(*match.span(), "report", year, last // 3)


def _read_report(match: re.Match[str]) -> TextTime | None:
    parts = match.groupdict()
    year = _year(parts["year"]) if parts.get("year") else None
    word = parts["report"]
    if word in ALONE:
        return TextTime(*match.span(), "never")
    kind: SaidKind = "report"
    basis = parts.get("basis") or ""
    if basis.startswith("ttm"):
        kind = "rolling"
    elif basis.startswith("mrq"):
        kind = "recent_quarter"
    return TextTime(*match.span(), kind, year, QUARTERS[word])


def _read_rolling(match: re.Match[str]) -> TextTime | None:
    return TextTime(*match.span(), "rolling", int(match["year"]), QUARTERS[match["report"]])


def _read_year(match: re.Match[str]) -> TextTime | None:
    return TextTime(*match.span(), "year", _year(match["year"]), 4)


def _read_last_report(match: re.Match[str]) -> TextTime | None:
    return TextTime(*match.span(), "last_report", int(match["year"]), 4)


def _read_years(match: re.Match[str]) -> TextTime | None:
    first, last = int(match["first"]), int(match["last"])
    if len(match["last"]) == 2:
        last += first // 100 * 100
    if not first < last <= first + 30:
        return None
    return TextTime(*match.span(), "years", years=tuple(range(first, last + 1)))


def _read_span(match: re.Match[str]) -> TextTime | None:
    parts = match.groupdict()
    unit = parts["unit"]
    count = small_number(parts["n"])
    months = count * (12 if unit.startswith(("年", "year")) else 1)
    is_month = unit.startswith(("个月", "月", "month", "年", "year"))
    if is_month and months == 12 and unit not in {"年", "year", "years"}:
        return TextTime(*match.span(), "rolling")
    if count == 4 and unit in {"个季度", "季度", "quarters"}:
        return TextTime(*match.span(), "rolling")
    kind: SaidKind = (
        "window" if unit.endswith(("日", "天")) or unit[:3] in _SESSION_UNITS else "span"
    )
    return TextTime(*match.span(), kind, count=count, unit=unit)


_SESSION_UNITS = ("ses", "tra", "day")


def _read_clock(match: re.Match[str]) -> TextTime | None:
    hour, minute = int(match["hour"]), int(match["minute"])
    return TextTime(*match.span(), "clock") if hour < 24 and minute < 60 else None


_ZH_UNIT = r"(?P<unit>个?交易日|个?财年|个年度|年度|年|个季度|季度|季|个月|周|日|天|期)"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], TextTime | None]], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (
            rf"(?P<year>{_Y})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?!\d)"
            r"(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:z|[+-]\d{2}:?\d{2})?)?",
            _read_day,
        ),
        (
            r"(?P<year>(?:19|20)\d{2})(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d|\.\d|[万亿元股])",
            _read_day,
        ),
        (rf"(?P<year>{_Y})年?(?P<month>{_N})月(?P<day>{_N})[日号]", _read_day),
        (
            rf"(?:(?P<year>{_Y})年?)?(?P<first>\d{{1,2}})[-~—至到](?P<last>\d{{1,2}})月份?",
            _read_months,
        ),
        (rf"(?P<year>{_Y})年?(?P<month>{_N})月份?", _read_month),
        (rf"(?P<year>{_Y})[-/](?P<month>\d{{1,2}})(?![\d.]|[-/]\d|年)", _read_month),
        (rf"(?P<month>{_N})月(?P<day>{_N})[日号]", _read_day),
        (rf"(?P<month>{_N})月(?:份|(?![均线内以来\d]))", _read_month),
        (
            rf"(?P<basis>ttm[_·]|mrq[_·])?(?P<year>{_Y})(?:财年|年度|年)?的?[ _-]?"
            rf"(?P<report>{_REPORT_ZH})(?!(?<=[a-z\d])[a-z\d])",
            _read_report,
        ),
        (
            r"(?P<year>\d{2})年?(?P<report>[qh][1-4]|年报|一季报|中报|半年报|三季报)(?!(?<=[a-z\d])[a-z\d])",
            _read_report,
        ),
        (
            rf"(?P<report>[qh][1-4]|[1-4]q|1h|2h|9m)[ -]?(?:of )?'?(?P<year>{_Y}|\d{{2}})(?!\d)",
            _read_report,
        ),
        (
            rf"(?P<report>{one_of(QUARTERS)}|{one_of(ALONE)})(?: report| results)?"
            rf"(?:,? (?:of |for )?(?:fiscal )?(?P<year>{_Y}))?(?!(?<=[a-z\d])[a-z\d])",
            _read_report,
        ),
        # twelve months to 2017 Q1: as our own English reports say TTM
        (rf"(?:twelve|12) months to (?P<year>{_Y}) (?P<report>q[1-4])", _read_rolling),
        (rf"(?:fiscal year|fiscal|financial year) (?P<year>{_Y})(?!\d)", _read_year),
        (r"fy[ _']?(?P<year>(?:19|20)\d{2}|\d{2})(?:[ae](?![a-z]))?(?!\d)", _read_year),
        (rf"lyr[_·](?P<year>{_Y})(?:年报)?", _read_last_report),
        (rf"(?P<first>{_Y})年?[-~—至到](?P<last>{_Y}|\d{{2}})(?:财年|年度|年)", _read_years),
        (rf"(?P<first>{_Y})[-~—](?P<last>{_Y})(?!\d)", _read_years),
        (rf"(?P<first>{_Y}) to (?P<last>{_Y})(?!\d)", _read_years),
        (rf"(?P<year>{_Y})(?:财年|年度|年(?:[末底](?!年))?)", _read_year),
        (
            rf"{_MONTH_EN} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>{_Y}))?(?![\d.%])",
            _read_day,
        ),
        (rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH_EN}(?:,? (?P<year>{_Y}))?(?!\d)", _read_day),
        (rf"{_MONTH_EN},? (?P<year>{_Y})(?!\d)", _read_month),
        (rf"(?<![/、])(?P<year>{_Y})(?!/\d){_NOT_YEAR}", _read_year),
        (
            rf"(?:最近|过去|此前|之前|前|近|这|连续|过往)这?的?(?P<n>{_N}){_ZH_UNIT}(?:以来|之?内|来|里|间)?",
            _read_span,
        ),
        (
            r"(?:the )?(?:last|past|previous|trailing|prior|most recent) "
            rf"(?P<n>\d{{1,3}}|{'|'.join(ONE_TO_TWELVE)}) "
            r"(?P<unit>trading days|sessions|days|weeks|months|quarters|years|fiscal years)",
            _read_span,
        ),
        (
            r"(?:(?<=% )|(?<=percent )|(?<=drawdown )|(?<=volatility ))"
            r"over (?P<n>\d{2,3}) (?P<unit>sessions|trading days)",
            _read_span,
        ),
        (
            r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d{2})?(?![\d%倍:])(?: ?(?:bjt|utc|cst))?",
            _read_clock,
        ),
    )
)
_PLAIN = Lexicon(PLAIN_WORDS)
_RELATIVE = Lexicon(RELATIVE_YEARS)
_BARE_REPORTS = Lexicon({word: word for word in (*QUARTERS, *ALONE)})
_STARTS = frozenset("0123456789一二三四五六七八九十最过此之前近这连ttmrqhfyljasondeqpw")


def read_time_at(text: str, place: int, today: date | None) -> TextTime | None:
    """The longest time that begins there; None when none does."""
    found: list[TextTime] = []
    for listed in (_PLAIN, _RELATIVE, _BARE_REPORTS):
        if hit := listed.at(text, place):
            found.append(_word_said(text, place, hit, today))
    if text[place] in _STARTS:
        for pattern, make in _FORMS:
            match = pattern.match(text, place)
            if match is not None and (said := make(match)) is not None:
                found.append(said)
    return max(found, key=lambda said: said.end) if found else None


def times_in(text: str, today: date | None) -> list[TextTime]:
    """The times of a short text that name a year or a stretch (最近5年), each the longest that
    begins there.
    """
    text, at, found = text.casefold(), 0, list[TextTime]()
    while at < len(text):
        said = read_time_at(text, at, today)
        if said is not None and (said.year is not None or said.kind in {"span", "window"}):
            found.append(said)
        at = said.end if said is not None else at + 1
    return found


def _word_said(
    text: str, place: int, hit: tuple[int, TextTime | int | str], today: date | None
) -> TextTime:
    end, meaning = hit
    if isinstance(meaning, TextTime):
        return replace(meaning, start=place, end=end)
    if isinstance(meaning, str):
        if meaning in ALONE:
            return TextTime(place, end, "never")
        return TextTime(place, end, "report", None, QUARTERS[meaning])
    if today is None:
        return TextTime(place, end, "never")
    year = today.year - meaning
    report = _BARE_REPORTS.at(text, end)
    if report is not None:
        kind: SaidKind = "never" if report[1] in ALONE else "report"
        return TextTime(place, report[0], kind, year, QUARTERS.get(report[1]))
    month = re.compile(rf"({_N})月份?(?:({_N})[日号])?").match(text, end)
    if month is not None:
        day = small_number(month[2]) if month[2] else None
        return TextTime(
            place,
            month.end(),
            "day" if day else "month",
            year,
            month=small_number(month[1]),
            day=day,
        )
    kind = "base" if text[place:end] in THE_YEAR_BEFORE else "year"
    return TextTime(place, end, kind, year, 4)
