"""The sentence that says why: Chinese and English templates in which every figure is a claim.

A cause is named only where a claim supports it: the index moved along, or trading was suspended.
Limit hits, volume, deviations and flags describe the event; they do not explain it. Notices and
news within a session of it are listed as possible causes.
"""

from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from services.core.claims import Claim
from services.core.rendering import place as put
from services.market.events import rules
from services.market.events.evidence import Evidence
from services.market.events.lead_words import (
    Clause,
    flag_clauses,
    publication_clauses,
    say_unexplained,
)
from services.market.events.leads import PUBLISHED, Near, rules_of
from services.market.events.rules import Span

_INDEXES = {
    "CN": ("上证指数", "SSE Composite"),
    "HK": ("恒生指数", "Hang Seng Index"),
    "US": ("纳斯达克综合指数", "NASDAQ Composite"),
}
_LIMITS = (rules.LIMIT_10, rules.LIMIT_20, rules.LIMIT_30)


class Reason(NamedTuple):
    """An event's text and what it rests on; `claims` in the order they appear."""

    kind: Literal["异动点", "异动区间"]
    rules: tuple[str, ...]
    zh: str
    en: str
    claims: tuple[Claim, ...]
    explained: bool


class _Draft:
    """Clauses in both languages, and the claims and rules they use."""

    def __init__(self, names: Sequence[str]) -> None:
        self._zh: list[str] = []
        self._en: list[str] = []
        self._claims: dict[str, Claim] = {}
        self._rules = list(names)
        self._explained = False
        self._unexplained = Clause("未找到可引用的原因", "no citable cause was found")

    def say(self, zh: str, en: str, *figures: Claim) -> None:
        """Add a clause; `{}` stands for the figures in order."""
        places = [put(claim) for claim in figures]
        self._claims |= {claim.claim_id: claim for claim in figures}
        self._zh.append(zh.format(*places))
        self._en.append(en.format(*places))

    def because(self, zh: str, en: str, rule: str) -> None:
        """Add a clause that explains the event, by that rule."""
        self.say(zh, en)
        self.explains(rule)

    def explains(self, rule: str) -> None:
        """What was said already explains the event, by that rule."""
        self._explained = True
        if rule not in self._rules:
            self._rules.append(rule)

    def surround(self, near: Near | None, *, one_day: bool) -> None:
        """Add what was flagged and published around it; None where that was not asked."""
        if near is None:
            return
        told = publication_clauses(near)
        for clause in (*flag_clauses(near, one_day=one_day), *told):
            self.say(clause.zh, clause.en, *clause.figures)
        if told:
            self.explains(PUBLISHED)
        self._unexplained = say_unexplained(near)

    def done(self, kind: Literal["异动点", "异动区间"]) -> Reason:
        """The finished text."""
        if not self._explained:
            self.say(self._unexplained.zh, self._unexplained.en)
        english = "; ".join(self._en) + "."
        return Reason(
            kind,
            tuple(self._rules),
            "；".join(self._zh) + "。",
            english[0].upper() + english[1:],
            tuple(self._claims.values()),
            self._explained,
        )


def point_reason(
    evidence: Evidence, place: int, sign: int, names: Sequence[str], near: Near | None = None
) -> Reason:
    """Why one session is abnormal; `names` are the rules it met, `near` what was said around it."""
    draft = _Draft(names)
    change = evidence.change(place)
    if change is not None:
        draft.say("收盘较前收盘{}", "closed {} from the previous close", change)
    for name in names:
        if name in _LIMITS:
            _say_limit(draft, evidence, place, sign, name)
    if rules.INDEX_MOVE in names:
        limit = evidence.rule(rules.INDEX_MOVE, "index_move_limit", place, "percent")
        draft.say("指数单日涨跌达到{}", "an index move of {} or more in one session", limit)
    if rules.GAP in names and (gap := evidence.gap(place)):
        draft.say("开盘较前收盘跳空{}", "opened {} from the previous close", gap)
    if rules.VOLUME in names:
        _say_volume(draft, evidence, place)
    if rules.Z in names:
        _say_z(draft, evidence, place)
    if rules.RESUMPTION in names:
        # Behind the company's own figures: it begins to tell of the index.
        _say_resumption(draft, evidence, place, change)
    _say_index_day(draft, evidence, place, change, names)
    draft.surround(near, one_day=True)
    return draft.done("异动点")


def explain_flagged(near: Near) -> Reason:
    """Why a session is abnormal that was flagged, but of which there is no bar."""
    draft = _Draft(rules_of(near.flags))
    draft.surround(near, one_day=True)
    return draft.done("异动点")


def interval_reason(
    evidence: Evidence,
    span: Span,
    runs: Sequence[Span],
    windows: Sequence[Span],
    near: Near | None = None,
) -> Reason:
    """Why a stretch of sessions is abnormal: its runs and its windows of deviation."""
    names = [rules.RUN] if runs else []
    deviation = rules.deviation_rule(evidence.symbol, evidence.track.days[span.last])
    if windows and deviation:
        names.append(deviation)
    draft = _Draft(names)
    whole = evidence.run_change(span)
    if whole is not None:
        days = _days(evidence, span)
        draft.say(f"{days.zh}收盘累计{{}}", f"{days.en}: closes moved {{}} in all", whole)
    if runs:
        _say_run(draft, evidence, span, runs)
    if windows and deviation:
        _say_deviation(draft, evidence, windows, deviation)
    if evidence.track.suspended[span.first] is not None:
        _say_resumed(draft, evidence, span.first, first=True)
        draft.explains(rules.RESUMPTION)
        _say_index_since(draft, evidence, span, whole)
    else:
        _say_index_along(draft, evidence, span, whole)
    draft.surround(near, one_day=False)
    return draft.done("异动区间")


def _say_index_along(draft: _Draft, evidence: Evidence, span: Span, whole: Claim | None) -> None:
    """The index over the days of the span."""
    index = evidence.index_run(span)
    if index is not None:
        zh, en = _INDEXES[evidence.symbol.market]
        draft.say(f"同期{zh}{{}}", f"the {en} moved {{}} over the same days", index)
        if _moves_along(whole, index):
            draft.because("随大盘", "with the market", rules.WITH_MARKET)


def _say_limit(draft: _Draft, evidence: Evidence, place: int, sign: int, name: str) -> None:
    limit = evidence.rule(name, "price_limit", place, "percent")
    up = sign > 0
    draft.say(
        f"疑似{'涨停' if up else '跌停'}（收于当日最{'高' if up else '低'}，板块涨跌幅限制{{}}）",
        f"suspected limit {'up' if up else 'down'} "
        f"(closed at the day's {'high' if up else 'low'}; board limit {{}})",
        limit,
    )


def _say_resumption(draft: _Draft, evidence: Evidence, place: int, change: Claim | None) -> None:
    _say_resumed(draft, evidence, place, first=False)
    draft.explains(rules.RESUMPTION)
    _say_index_since(draft, evidence, Span(place, place, 1), change)


def _say_index_since(draft: _Draft, evidence: Evidence, span: Span, change: Claim | None) -> None:
    """The index from the last close before the suspension to the end of the span."""
    over = evidence.index_run(span)
    if over is None:
        return
    zh, en = _INDEXES[evidence.symbol.market]
    last = evidence.track.days[span.last]
    draft.say(
        f"停牌前收盘至 {last} {zh}{{}}",
        f"the {en} moved {{}} from the last close before it to {last}",
        over,
    )
    if _moves_along(change, over):
        falling = over.value < 0
        draft.because(
            f"随大盘补{'跌' if falling else '涨'}",
            f"catching {'down' if falling else 'up'} with the market",
            rules.WITH_MARKET,
        )


def _say_resumed(draft: _Draft, evidence: Evidence, place: int, *, first: bool) -> None:
    """The suspension by its days, and its length where the source counts it."""
    gap = evidence.track.suspended[place]
    if gap is None:
        return
    days = f"{gap.start} 至 {gap.end}" if gap.start != gap.end else f"{gap.start}"
    english = f"{gap.start} to {gap.end}" if gap.start != gap.end else f"{gap.start}"
    length = evidence.count_suspended(place)
    figures = (length,) if length is not None else ()
    mark = "{}" if figures else ""
    draft.say(
        f"{'起于' if first else ''}停牌{mark}（{days}）后复牌首日",
        f"{'starts with the ' if first else ''}first session after a suspension"
        f"{' of {}' if figures else ''} ({english})",
        *figures,
    )


def _say_volume(draft: _Draft, evidence: Evidence, place: int) -> None:
    multiple = evidence.volume_multiple(place)
    if multiple is not None:
        window = evidence.rule(rules.VOLUME, "volume_window", place, "sessions")
        draft.say(
            "放量，成交量为前{}均量的{}",
            "heavy volume, against the mean of the previous {}: {}",
            window,
            multiple,
        )


def _say_z(draft: _Draft, evidence: Evidence, place: int) -> None:
    score = evidence.z(place)
    if score is not None:
        window = evidence.rule(rules.Z, "z_window", place, "sessions")
        draft.say(
            "收益较前{}均值偏离{}", "return against the mean of the previous {}: {}", window, score
        )


def _say_index_day(
    draft: _Draft, evidence: Evidence, place: int, change: Claim | None, names: Sequence[str]
) -> None:
    if evidence.symbol.is_index:
        return
    zh, en = _INDEXES[evidence.symbol.market]
    index = evidence.index_change(place)
    if index is None:
        draft.say(f"来源缺同日{zh}涨跌幅", f"the source lacks the {en}'s move of the day")
        return
    draft.say(f"同日{zh}{{}}", f"the {en} moved {{}} the same day", index)
    if _is_about_return(evidence, place, names) and _moves_along(change, index):
        draft.because("随大盘", "with the market", rules.WITH_MARKET)


def _is_about_return(evidence: Evidence, place: int, names: Sequence[str]) -> bool:
    """Whether the day's return is what is abnormal, so that the index's return could explain it.

    Volume alone is not, nor a gap the day closed against; a resumption answers for months.
    """
    if rules.RESUMPTION in names:
        return False
    if rules.Z in names or any(name in _LIMITS for name in names):
        return True
    track = evidence.track
    opened = track.open[place] - track.close[place - 1]
    return rules.GAP in names and opened * track.returns[place] > 0


def _say_run(draft: _Draft, evidence: Evidence, span: Span, runs: Sequence[Span]) -> None:
    zh, en = ("收涨", "higher") if span.sign > 0 else ("收跌", "lower")
    longest = max(runs, key=lambda item: item.last - item.first)
    if (longest.first, longest.last) == (span.first, span.last):
        draft.say(f"其间每个交易日均{zh}", f"every session closed {en}")
        return
    change = evidence.run_change(longest)
    if change is not None:
        days = _days(evidence, longest)
        draft.say(
            f"其中 {days.zh}连续{zh}{{}}",
            f"{days.en} closed {en} day after day, {{}} in all",
            change,
        )


def _say_deviation(draft: _Draft, evidence: Evidence, windows: Sequence[Span], name: str) -> None:
    distance = evidence.track.returns - evidence.index_returns
    peak = max(windows, key=lambda item: abs(distance[item.first : item.last + 1].sum()))
    deviation = evidence.deviation(peak)
    if deviation is None:
        return
    days = _days(evidence, peak)
    zh, en = _INDEXES[evidence.symbol.market]
    standard = "异常波动标准" if name == rules.DEVIATION else "本工作台标准"
    standard_en = "abnormal-movement rule" if name == rules.DEVIATION else "house rule"
    draft.say(
        f"{days.zh}连续{{}}累计偏离{zh}{{}}（{standard}{{}}）",
        f"{days.en}: over {{}} the deviation from the {en} added up to {{}} ({standard_en}: {{}})",
        evidence.rule(name, "deviation_sessions", peak.last, "sessions"),
        deviation,
        evidence.rule(name, "deviation_limit", peak.last, "pp"),
    )


def _moves_along(own: Claim | None, index: Claim) -> bool:
    """Whether the index went the same way by the registered share of the move."""
    share = rules.limit_of(rules.WITH_MARKET, "index_share") / 100
    if own is None or own.value * index.value <= 0:
        return False
    return abs(index.value) >= share * abs(own.value)


class _Days(NamedTuple):
    """Two days in words."""

    zh: str
    en: str


def _days(evidence: Evidence, span: Span) -> _Days:
    start: date = evidence.track.days[span.first]
    end: date = evidence.track.days[span.last]
    return _Days(f"{start} 至 {end} ", f"{start} to {end}")
