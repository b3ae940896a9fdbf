"""Is a claim's figure told of its own company and its own time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from services.core.claims import Claim, CompetenceCite, DerivedCite
from services.core.periods import is_report
from services.grounding.match import CHANGES, Mismatch
from services.grounding.period_words import TextTime
from services.grounding.sentence import Context, TimeBefore
from services.grounding.times import is_of, period_of


@dataclass(frozen=True, slots=True)
class Bench:
    """What is looked at beside the one claim: all claims, which companies have names, today."""

    claims: tuple[Claim, ...]
    by_id: Mapping[str, Claim]
    newest: Mapping[tuple[str, str], date]
    named: frozenset[str]
    today: date | None


def subjects_of(claim: Claim, bench: Bench) -> frozenset[str]:
    """The companies a figure may be told of: its own, and those it compares."""
    found = {claim.symbol}
    if isinstance(claim.cite, DerivedCite):
        for name in claim.cite.inputs:
            if (one := bench.by_id.get(name)) is not None:
                found.add(one.symbol)
    return frozenset(found)


def wrong_entity(claim: Claim, context: Context, bench: Bench, *, free: bool) -> Mismatch | None:
    """The company named must be the claim's; of a place only a contradiction counts."""
    if claim.symbol not in bench.named or isinstance(claim.cite, CompetenceCite):
        return None
    subjects = subjects_of(claim, bench)
    symbols = context.symbols
    if len(symbols) == 0:
        if not free or len({one.symbol for one in bench.claims if one.symbol in bench.named}) == 1:
            return None
        if _is_of_both(claim, context):
            return None
        return Mismatch(
            "ambiguous",
            f"没有写明是哪家公司：证据是 {claim.symbol}，请在同一句写出公司名",
            f"no company is named; the claim is of {claim.symbol}: name it in the sentence",
        )
    if context.ambiguous and len(symbols) > 1:
        if set(symbols) <= subjects or (not free and subjects & set(symbols)):
            return None
        if _is_between(claim, context):
            return None
        return Mismatch(
            "ambiguous" if subjects & set(symbols) else "entity",
            f"这里有几家公司（{'、'.join(symbols)}），看不出数字属于谁：请紧邻数字写公司名",
            f"several companies ({', '.join(symbols)}): say whose figure it is right before it",
        )
    return _wrong_one(claim, symbols[0], subjects, context, bench)


def _is_of_both(claim: Claim, context: Context) -> bool:
    """两者相差7.16倍：茅台…，五粮液…: the two are named behind it."""
    said = context.lead[-12:] + context.behind[:2]
    return (
        claim.metric.endswith("_difference")
        and len(context.mentioned) == 2
        and claim.symbol in context.mentioned
        and re.search("两者|二者|两家|双方", context.words) is not None
        and not _ONE_SIDED.search(said)
    )


def _is_between(claim: Claim, context: Context) -> bool:
    """两者市值相差3837亿元: of two, and neither is said to be the higher one."""
    if not claim.metric.endswith("_difference") or len(context.symbols) != 2:
        return False
    said = context.lead[-12:] + context.behind[:12]
    return claim.symbol in context.symbols and not _ONE_SIDED.search(said)


_ONE_SIDED = re.compile(
    r"[高低多少贵大小]|便宜|超|higher|lower|more|less|above|below|larger|smaller"
)


def _wrong_one(
    claim: Claim, symbol: str, subjects: frozenset[str], context: Context, bench: Bench
) -> Mismatch | None:
    if symbol in subjects and not _is_reversed(claim, context):
        return None
    if symbol == "?" and isinstance(claim.cite, DerivedCite) and claim.cite.members:
        return None  # whom it is held against is the set its formula names: of Hong Kong shares
    of_two = claim.metric.endswith(("_difference", "_ratio")) and symbol not in subjects
    of_two = of_two and not _is_reversed(claim, context)
    if of_two and claim.symbol in context.mentioned and symbol in bench.named:
        return None
    said = symbol if symbol != "?" else "另一家公司 another company"
    return Mismatch(
        "entity",
        f"公司不符：文中是 {said}，证据是 {claim.symbol}",
        f"another company: the text speaks of {said}, the claim of {claim.symbol}",
    )


def _is_reversed(claim: Claim, context: Context) -> bool:
    """A是B的1.14倍 said the wrong way round."""
    if not claim.metric.endswith("_ratio"):
        return False
    if context.times_of == claim.symbol:
        return True
    if context.symbols[0] != claim.symbol:
        return False
    return context.headed and re.search("[\ue000]的约?$", context.lead) is not None


def wrong_period(claim: Claim, context: Context, bench: Bench, *, free: bool) -> Mismatch | None:
    """Times said with the figure, then of its sentence and paragraph; else it must be newest."""
    if isinstance(claim.cite, CompetenceCite) or _is_second_start(claim, context, bench):
        return None
    behind = _behind(claim, context, bench)
    if behind is not None:
        return _period(claim, behind[0]) if behind[1] else None
    bound = bool([said for said in context.after if said.kind not in {"clock", "base", "same"}])
    for when in () if bound and context.after_binds else context.before:
        verdict = _binds(when, claim, context, bench)
        if verdict == "wrong":
            return None if bound and not when.same_clause else _period(claim, when.said)
        if verdict == "ok":
            bound = True
            break
    if not bound:
        bound, wrong = _inherit_time(claim, context.inherited, bench)
        if wrong is not None:
            return _period(claim, wrong)
    newest = bench.newest.get((claim.symbol, claim.metric), claim.as_of)
    if newest > claim.as_of and ((free and not bound) or (context.newest and not bound)):
        return Mismatch(
            "period",
            f"没有写明时间，而证据是 {claim.period or claim.as_of}，并非最新（{newest}）："
            "请写出时间",
            f"no time is said, and the claim is of {claim.period or claim.as_of}, not the newest "
            f"({newest}): say when",
        )
    return None


def _behind(claim: Claim, context: Context, bench: Bench) -> tuple[TextTime, bool] | None:
    """A time right behind the figure that settles it, and whether it is wrong."""
    for said in context.after:
        if said.kind == "same":
            return said, _is_same(claim, context, bench) == "wrong"
        if not is_of(said, claim, bench.today):
            return said, True
        if said.kind == "base" and claim.metric not in CHANGES:
            return said, _is_base(claim, context, bench) != "ok"
    return None


def _is_second_start(claim: Claim, context: Context, bench: Bench) -> bool:
    """净利率从2015年的…升至2016年的…，ROE从8.74%升至…: both pairs are of the same two years."""
    start = _LEAD_FROM.search(context.lead) is not None
    here = [when for when in context.before if when.said.kind in {"year", "report"}]
    said = [when.said for when in here]
    if not said:
        said = [one for one in context.inherited if one.kind in {"year", "report"}]
    years = sorted({one.year for one in said if one.year is not None})
    if start and len(years) == 1 and said:
        base = replace(said[0], year=years[0] - 1)  # 2016年…净利率由3.53%提升至4.88%
        return is_of(base, claim, bench.today)
    if len(years) < 2 or any(when.same_clause for when in here):
        return False
    if not start and not _LEAD_TO.search(context.lead):
        return False
    year = years[0] if start else years[-1]
    return any(one.year == year and is_of(one, claim, bench.today) for one in said)


_LEAD_FROM = re.compile(r"(?:从|由|\bfrom )$")
_LEAD_TO = re.compile(r"(?:至|到|\bto )$")


def _is_same(claim: Claim, context: Context, bench: Bench) -> str:
    """同期, the same day: of what the sentence opened with, or of the days told before."""
    told = [when.said for when in reversed(context.before) if not when.compared]
    told = [one for one in (*told, *context.inherited) if one.kind not in _NO_TIME]
    report = is_reported(claim)
    told = [one for one in told if one.is_dated != report]
    if not told:
        return "skip"
    held = told[:1] if report else told
    return "ok" if any(is_of(one, claim, bench.today) for one in held) else "wrong"


_NO_TIME = frozenset({"clock", "span", "window", "base", "same"})


def _is_session_before(claim: Claim, bench: Bench) -> str:
    """前一交易日: the claim's next one of the same kind is of a few days later."""
    days = [
        (one.as_of - claim.as_of).days
        for one in bench.claims
        if (one.symbol, one.metric) == (claim.symbol, claim.metric) and one.as_of > claim.as_of
    ]
    return "ok" if days and min(days) <= _LONGEST_CLOSED else "wrong"


_LONGEST_CLOSED = 12
_STATEMENTS = frozenset({"revenue", "total_revenue", "net_profit", "gross_margin", "net_margin"})


def is_reported(claim: Claim) -> bool:
    """Whether it is told by report periods, not by days: a year's profit, also a trailing one."""
    return is_report(claim.period) or claim.metric in _STATEMENTS


def _binds(when: TimeBefore, claim: Claim, context: Context, bench: Bench) -> str:
    """`ok`, `wrong`, or `skip` where that time belongs to something else."""
    said = when.said
    if said.kind in {"clock", "span", "window"}:
        return "skip"
    if said.kind == "same":
        return _is_same(claim, context, bench)
    if said.kind == "base":
        if claim.metric in CHANGES:
            return "skip"
        literal = said.year is not None and is_of(replace(said, kind="year"), claim, bench.today)
        return "ok" if literal else _is_base(claim, context, bench)
    if when.compared and claim.metric in CHANGES:
        return "wrong" if _is_other_base(said, claim) else "skip"
    if is_of(said, claim, bench.today):
        return "ok"
    if said.kind == "rolling" and (claim.period or "").startswith("MRQ"):
        return "skip"  # 31.5 times trailing earnings and 7.2 times book
    if is_reported(claim):
        return "skip" if said.is_dated and (when.crossed or not when.same_clause) else "wrong"
    return "skip" if not said.is_dated and when.crossed else "wrong"


def _is_other_base(said: TextTime, claim: Claim) -> bool:
    """较2014年增长, of a change from 2015 to 2016."""
    period = period_of(claim)
    if period is None or not claim.metric.endswith("_yoy") or said.year is None:
        return False
    return said.kind in {"year", "report"} and said.year != period.year - 1


def _is_base(claim: Claim, context: Context, bench: Bench) -> str:
    """上年同期: of the year before the one the sentence tells of, or before the newest."""
    period = period_of(claim)
    if claim.period is None:
        return _is_session_before(claim, bench)
    told = [when.said.year for when in context.before if when.said.kind in {"year", "report"}]
    if told and told[0] is not None and period is not None:
        return "ok" if period.year == told[0] - 1 else "wrong"
    newest = bench.newest.get((claim.symbol, claim.metric))
    for one in bench.claims:
        later = period_of(one) if one.as_of == newest else None
        if (
            (one.symbol, one.metric) == (claim.symbol, claim.metric)
            and period is not None
            and later is not None
            and (later.year, later.quarter) == (period.year + 1, period.quarter)
        ):
            return "ok"
    return "wrong"


def _inherit_time(
    claim: Claim, periods: Sequence[TextTime], bench: Bench
) -> tuple[bool, TextTime | None]:
    """Whether a time from further up holds for it, and one that contradicts."""
    report = is_reported(claim)
    for said in periods:
        if said.kind in _NO_TIME or said.is_dated == report:
            continue
        if not report and said.kind not in {"day", "month", "today", "yesterday"}:
            continue
        return (True, None) if is_of(said, claim, bench.today) else (False, said)
    return False, None


def _period(claim: Claim, said: TextTime) -> Mismatch:
    written = [str(part) for part in (said.year, said.quarter and f"Q{said.quarter}") if part]
    if said.month:
        written = [f"{said.year or ''}-{said.month:02}" + (f"-{said.day:02}" if said.day else "")]
    words = " ".join(written) or said.kind
    own = f"{claim.period or ''} {claim.as_of}".strip()
    return Mismatch(
        "period",
        f"时间不符：文中是 {words}，证据是 {own}",
        f"another time: the text says {words}, the claim is of {own}",
    )
