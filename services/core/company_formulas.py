"""What the company page derives beyond the shared figures: rows that core/formulas.py registers."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Literal, NamedTuple, get_args


class CompanyFormula(NamedTuple):
    """As `Formula` of core/formulas.py; `holed`: a window that lacks sessions has an answer all the
    same, and its note says how many. `stretches`: its series follow one another.
    """

    metric: str
    expression: str
    slots: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    unit: str = "first"
    relation: Literal["none", "same_day", "same_period", "year_before"] = "none"
    period: Literal["none", "first"] = "first"
    accuracy: str | None = None
    holed: bool = False
    window: int | None = None
    stretches: bool = False


def log_share(whole: float, whole_before: float, part: float, part_before: float) -> float:
    """How much of the move of a product one of its factors makes, by logarithms: the shares of all
    factors add up to the move. No answer (ZeroDivisionError) where the product did not move.
    """
    return (whole - whole_before) * log(part / part_before) / log(whole / whole_before)


_YEAR = "一年内的复权价"
# Drawn over the candles, and told beside them; over the sessions held.
AVERAGES = (5, 20, 60)
# The averages of candles of a week or a month: of each the last close counts.
CANDLE_AVERAGES: Mapping[str, str] = {"w": "ma_week", "m": "ma_month"}
_CANDLE_WORDS = {"ma_week": "周", "ma_month": "月"}


def candle_average(length: int) -> str:
    """The mean of the last close of so many weeks or months, each a series of its own."""
    return f"mean(ends({', '.join(_list_candles(length))}))"


def _list_candles(length: int) -> list[str]:
    return [f"c{place}" for place in range(1, length + 1)]


def list_ends(*parts: Sequence[float]) -> list[float]:
    """The last value of each."""
    return [part[-1] for part in parts]


_STEPPED = ("roe", "net_margin", "asset_turnover", "equity_multiplier")
COMPANY: tuple[CompanyFormula, ...] = (
    CompanyFormula(
        "high_52w", "max(values)", series=("values=high",), period="none", accuracy=_YEAR,
        holed=True,
    ),
    CompanyFormula(
        "low_52w", "min(values)", series=("values=low",), period="none", accuracy=_YEAR,
        holed=True,
    ),
    CompanyFormula("volume", "sum(values)", series=("values=volume",), period="none", holed=True),
    *(
        CompanyFormula(
            f"ma_{length}", "mean(values)", series=("values=close",), period="none", holed=True,
            window=length,
        )
        for length in AVERAGES
    ),
    *(
        CompanyFormula(
            metric, candle_average(length),
            series=tuple(f"{name}=close" for name in _list_candles(length)), period="none",
            accuracy=f"{length} {word}：各{word}最后一个收盘的均值", holed=True, stretches=True,
        )
        for metric, word in _CANDLE_WORDS.items()
        for length in AVERAGES
    ),
    CompanyFormula(
        "asset_turnover", "revenue / total_assets * 100", ("revenue", "total_assets"),
        unit="percent", relation="same_period", accuracy="营业收入/期末总资产",
    ),
    CompanyFormula(
        "equity_multiplier", "total_assets / equity", ("total_assets", "equity"),
        unit="multiple", relation="same_period", accuracy="期末总资产/期末归母净资产",
    ),
    *(
        CompanyFormula(
            f"{metric}_yoy", "(later / earlier - 1) * 100",
            (f"later={metric}", f"earlier={metric}"), unit="percent", relation="year_before",
        )
        for metric in ("eps", "dps", "total_assets", "equity")
    ),
    *(
        CompanyFormula(
            f"{metric}_step", "later - earlier", (f"later={metric}", f"earlier={metric}"),
            unit="pp", relation="year_before",
        )
        for metric in ("roe", "net_margin")
    ),
    *(
        CompanyFormula(
            f"roe_by_{part}",
            "log_share(roe, before, part, part_before)",
            ("roe", "before=roe", f"part={part}", f"part_before={part}"),
            unit="pp",
            relation="year_before",
            accuracy="对数分解：三项相加等于净资产收益率的变化",
        )
        for part in _STEPPED[1:]
    ),
)  # fmt: skip


# Multiples of the past, from the adjusted close and the annual report known then. A stretch is the
# sessions over which report and dividends stay the same: the close, and what was paid after it on
# the report's figure a share. So many reports at most; the last stretch may be before its dividend.
MOST_REPORTS = 6
PAST_WORDS = {
    "now": "last(values)",
    "percentile": "percentile(values)",
    "median": "median(values)",
    "p10": "quantile(values, 10)",
    "p25": "quantile(values, 25)",
    "p75": "quantile(values, 75)",
    "p90": "quantile(values, 90)",
}
_PER_SHARE = {"pe_report": "eps{n}", "pb_report": "equity{n} / shares"}
_PAST_NOTE = (
    "推算 收盘＋其后派息，除以当时最近一份年报；年报按期末后四个月、除息按六月三十日计，"
    "每年五至七月有误差"
)


def stretch(closes: Sequence[float], paid: float, per_share: float) -> list[float]:
    """The multiple at each close: with what was paid since, over the figure a share."""
    return [(close + paid) / per_share for close in closes]


def join_series(*parts: Sequence[float]) -> list[float]:
    """Several stretches as one, oldest first."""
    return [value for part in parts for value in part]


def quantile(values: Sequence[float], percent: float) -> float:
    """The value below which so many percent of them lie, between its neighbours in proportion."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


Dividends = Literal["none", "owed", "paid", "late_owed", "late_paid"]


def past_expression(metric: str, reports: int, dividends: Dividends, word: str) -> str:
    """The expression of one word over so many reports. `none`: prices hold no dividends, a stretch
    is a report's; `owed`, `paid`: whether the last report's dividend is still to be paid. `late_`:
    the first session is after the first report's dividend.
    """
    parts: list[str] = []
    for name in _stretch_names(reports, dividends):
        half, n = name[0], int(name[1:])
        owed = range(n if half == "a" else n + 1, reports + 1) if dividends != "none" else ()
        paid = " + ".join(f"dps{each}" for each in owed) or "0"
        parts.append(f"stretch({name}, {paid}, {_PER_SHARE[metric].format(n=n)})")
    return PAST_WORDS[word].replace("values", f"joined({', '.join(parts)})")


def past_slots(metric: str, reports: int, dividends: Dividends) -> tuple[str, ...]:
    """Its inputs in order: the dividends, then the figures a share (and the shares, once)."""
    numbers = range(1, reports + 1)
    counted = numbers[dividends.startswith("late_") :]
    paid = () if dividends == "none" else tuple(f"dps{n}=dps" for n in counted)
    if metric == "pe_report":
        return (*paid, *(f"eps{n}=eps" for n in numbers))
    return (*paid, *(f"equity{n}=equity" for n in numbers), "shares=total_shares")


def _stretch_names(reports: int, dividends: Dividends) -> list[str]:
    halves = ("a",) if dividends == "none" else ("a", "b")
    names = [f"{half}{n}" for n in range(1, reports + 1) for half in halves]
    first = 1 if dividends.startswith("late_") else 0
    return names[first:-1] if dividends.endswith("owed") else names[first:]


def past_series(reports: int, dividends: Dividends) -> tuple[str, ...]:
    """Its stretches of closes in order: `a1` from the report on, `b1` after its dividend."""
    return tuple(f"{name}=close" for name in _stretch_names(reports, dividends))


_WAYS: tuple[Dividends, ...] = get_args(Dividends)
PAST: tuple[CompanyFormula, ...] = tuple(
    CompanyFormula(
        f"{metric}_{word}",
        past_expression(metric, reports, dividends, word),
        past_slots(metric, reports, dividends),
        past_series(reports, dividends),
        unit="percent" if word == "percentile" else "multiple",
        period="none",
        accuracy=_PAST_NOTE,
        holed=True,
        stretches=True,
    )
    for metric in _PER_SHARE
    for reports in range(1, MOST_REPORTS + 1)
    for dividends in _WAYS
    if _stretch_names(reports, dividends)
    for word in PAST_WORDS
)
# The price at which its multiple would be one of its past: the lines of a price channel.
LINES = ("p90", "p75", "median", "p25", "p10")
PRICE_AT = "close * multiple / now"
_NOW = {"pe_report": "pe_report_now", "pb_report": "pb_report_now", "pe_ttm": "pe_ttm", "pb": "pb"}
CHANNELS: tuple[CompanyFormula, ...] = tuple(
    CompanyFormula(
        f"{past}_price",
        PRICE_AT,
        ("close", f"now={now}", f"multiple={past}"),
        relation="same_day",
        period="none",
        accuracy="推算 现价×历史倍数/现在的倍数",
    )
    for metric, now in _NOW.items()
    for word in LINES
    for past in (f"{metric}_{word}" if metric in _PER_SHARE else f"{metric}_past_{word}",)
)
FUNCTIONS = {
    "log_share": log_share,
    "stretch": stretch,
    "joined": join_series,
    "ends": list_ends,
    "quantile": quantile,
}
