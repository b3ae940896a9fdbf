"""A claim of each figure of the catalogue, and plain sentences that tell it by each name."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from typing import NamedTuple

from services.core.catalogue import CATALOGUE, FigureEntry
from services.core.claims import Claim
from services.core.limits import COMPETENCES, VALUE_UNITS
from services.core.rendering import show
from services.core.text import Language
from services.language.plain_text import words
from tests.unit.core.grounded import CAP, MOUTAI, PB, claim

DAY = date(2017, 5, 25)
_COMPANY: Mapping[Language, str] = {"zh": "贵州茅台", "en": "Kweichow Moutai"}
# A value and the claim's unit, by the unit of the catalogue.
_VALUES: Mapping[str, tuple[float, str]] = {
    "price": (37.41, "CNY"),
    "money": (38_862_000_000.0, "CNY"),
    "per_share": (3.62, "CNY/share"),
    "percent": (13.47, "percent"),
    "pp": (13.47, "pp"),
    "multiple": (31.53, "multiple"),
    "shares": (1_257_000_000.0, "shares"),
    "count": (268.0, "count"),
    "sessions": (23.0, "sessions"),
    "sigma": (4.6, "sigma"),
    "score": (63.2, "score"),
    "rank": (3.0, "rank"),
    "number": (47.0, "number"),
    "index": (51.83, "index"),
}
# Figures of no one unit: the one their formula gives.
_UNITS: Mapping[str, str] = {
    **dict.fromkeys(("rsi", "kdj_k", "kdj_d", "kdj_j", "trend_strength"), "index"),
    **dict.fromkeys(("obv_share", "signal_confidence", "relevance_score"), "number"),
    **dict.fromkeys(("position_suggestion", "score_coverage"), "percent"),
    "profit_pace": "multiple",
    "expression": "percent",
}
# What says by itself that a figure follows: 收于37.41元, closed at CNY 37.41.
_VERBS = {
    *words("报收 报收于 收盘报收 收报 收于 收在 收盘于 收盘报 股价收于 股价收报 现报 盘中报"),
    *words("盘中现报 开盘于 上探 摸高 最高摸到 最高升至 最高涨至 下探 盘中下探 探底 最低跌至"),
    *words("最低探至 最低下探 净赚 亏 亏了 巨亏 净亏 跑赢 跑输 跑赢大盘 跑输大盘 跑赢市场"),
    *words("跑输市场 停牌 偏离60日均线 收盘偏离60日均线"),
    *("trading at", "trades at", "now at", "closed at", "closes at", "closed", "closing at"),
    *("finished at", "ended at", "settled at", "ended the day at", "finished the day at"),
    *("opened at", "opened", "valued at", "suspended", "yields", "yielding"),
}


class Told(NamedTuple):
    """A true sentence; of the claims the first is told by the name, another may stand beside it."""

    text: str
    claims: tuple[Claim, ...]
    name: str
    language: Language


def claim_of(row: FigureEntry, *, falls: bool = False) -> Claim:
    """A claim of that figure as a tool would make it: its unit, time and rule."""
    rule = _rules().get(row.id)
    value, unit = _VALUES[_unit(row)] if rule is None else (0.0, VALUE_UNITS[row.id])
    if rule is not None:
        value = COMPETENCES[rule].values[row.id]
    is_report = row.grain == "period" and row.kind != "macro"
    day, period = (date(2016, 12, 31), "2016_Q4") if is_report else (DAY, None)
    return claim(row.id, -value if falls else value, unit, MOUTAI, day, period, rule=rule)


@cache
def _rules() -> Mapping[str, str]:
    return {name: one.competence_id for one in COMPETENCES.values() for name in one.values}


def _unit(row: FigureEntry) -> str:
    if row.unit != "any":
        return row.unit
    base, _, kind = row.id.rpartition("_")
    if kind == "difference":
        unit = CATALOGUE[base].unit
        return "pp" if unit == "percent" else unit
    return "multiple" if kind == "ratio" else _UNITS[row.id]


def sentences_of(row: FigureEntry) -> Iterator[Told]:
    """The claim of that figure by every name that means exactly it."""
    for name in (row.zh, row.en, *row.says, *row.rises):
        yield from told(name, claim_of(row))
    for name in row.falls:
        yield from told(name, claim_of(row, falls=True), size=True)


def told(name: str, one: Claim, *, size: bool = False) -> Iterator[Told]:
    """The sentences; a Latin name in Chinese ones too. `size`: without a sign."""
    languages: tuple[Language, ...] = ("en", "zh") if name.isascii() else ("zh",)
    for language in languages:
        figure = show(one, language).text
        spelt = f"{name} " if language == "zh" and name[-1].isascii() else name
        beside = PB if one.metric == "market_cap" else CAP
        make = _in_chinese if language == "zh" else _in_english
        is_verb = name in _VERBS
        if language == "zh" and is_verb and name.isascii():
            continue  # nobody writes 贵州茅台 closed at 37.41元
        for text in make(spelt, figure.lstrip("+-") if size else figure, one, beside, is_verb):
            yield Told(text, (one, beside), name, language)


def _in_chinese(name: str, figure: str, one: Claim, beside: Claim, is_verb: bool) -> Iterator[str]:
    who, year = _COMPANY["zh"], "2016年" if one.period else ""
    other = f"{CATALOGUE[beside.metric].zh}{show(beside).text}"
    yield f"{who}{year}{name}{figure}。"
    if not is_verb:
        yield f"{who}{year}的{name}为{figure}，{other}。"
        yield f"| 指标 | 数值 |\n| --- | --- |\n| {year}{name} | {figure} |"


def _in_english(name: str, figure: str, one: Claim, beside: Claim, is_verb: bool) -> Iterator[str]:
    who, year = _COMPANY["en"], " in 2016" if one.period else ""
    other = f"{CATALOGUE[beside.metric].en} of {show(beside, 'en').text}"
    if is_verb:
        yield f"{who} {name} {figure}{year}."
        return
    yield f"{who}'s {name} was {figure}{year}."
    yield f"{who} has {other} and {name} of {figure}{year}."
    yield f"The {name} of {who} was {figure}{year}."
