"""How far a finished text may be trusted: the checks of seed 004 §11, each a deduction with why.

Two of ours come behind them (the rule `report.confidence`): a tool that brought nothing, and a
price or valuation that is old though something else is of today.

Verification has happened before: nothing here lets a wrong figure out or keeps a right one in.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from services.agents.options import GuardrailOptions
from services.agents.results import CalledTool, CallEvidence, Deduction
from services.agents.titles import title_of
from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, ToolCite
from services.core.limits import COMPETENCES
from services.core.text import Text, join_texts
from services.core.trace import Trace

FULL = 100.0
FRESH_HOURS = 24
LEAST_SOURCES = 2
PE_TOLERANCE = 0.10
# Which earnings each multiple is of; the prices it may be of, the best first.
_EARNINGS = {"pe_lyr": "eps", "pe_ttm": "eps_ttm"}
_PRICES = ("current_price", "price_implied", "close")
_ADJUSTED = "复权"
_OURS_TOO = COMPETENCES["report.confidence"].values
# Inputs that have a day of their own, by the kind of their metrics; reports are of their period.
_DATED = {"price": ("股价", "price"), "valuation": ("估值", "valuation")}
# A request that was not valid is the model's mistake, no source's failure.
_MISTAKE = "InputError"
# What we computed or wrote ourselves is no second source.
_OURS = frozenset({"youju", "knowledge_base"})


@dataclass(frozen=True, slots=True)
class Case:
    """What is judged: the marks of each statement, the evidence, all claims, the present, and the
    tools as they were called.
    """

    marks: Sequence[Sequence[str]]
    evidence: Sequence[CallEvidence]
    claims: Sequence[Claim]
    trace: Trace
    now: datetime
    options: GuardrailOptions
    called: Sequence[CalledTool] = ()


Check = Callable[[Case], Text | None]
# What is amiss.
Count = Callable[[Case], Sequence[Text]]


def deductions(case: Case) -> tuple[Deduction, ...]:
    """Every check that does not hold, with its points and what was found."""
    stated = [
        Deduction(rule=rule, points=points, reason=why)
        for rule, (points, check) in CHECKS.items()
        if (why := check(case)) is not None
    ]
    ours = [
        Deduction(rule=rule, points=_OURS_TOO[each] * len(amiss), reason=_list_amiss(head, amiss))
        for rule, (each, head, count) in COUNTS.items()
        if (amiss := count(case))
    ]
    return (*stated, *ours)


def _list_amiss(head: Text, amiss: Sequence[Text]) -> Text:
    told = join_texts(amiss, "、", ", ")
    return Text(f"{head.zh}：{told.zh}", f"{head.en}: {told.en}")


def confidence(found: Sequence[Deduction]) -> float:
    """100 less every deduction, never below 0."""
    return max(FULL - sum(one.points for one in found), 0.0)


def _evidence_marked(case: Case) -> Text | None:
    if not case.options.evidence_required or any(case.marks):
        return None
    return Text("结论没有任何证据标记 [E*]", "no statement carries a mark of evidence [E*]")


def _pe_consistent(case: Case) -> Text | None:
    """The source's P/E against price ÷ earnings per share of the same company, within 10 %."""
    if not case.options.pe_consistency_check:
        return None
    for pe in case.claims:
        if pe.metric in _EARNINGS and pe.value > 0 and not _agrees(case.claims, pe):
            return Text(
                "来源的市盈率与股价÷每股收益相差一成或以上",
                "the source's P/E and price ÷ EPS differ by a tenth or more",
            )
    return None


def _agrees(claims: Sequence[Claim], pe: Claim) -> bool:
    """Whether the multiple holds, as far as that can be told: a loss, a price of another day or
    currency and an adjusted price say nothing about it.
    """
    price = _price(claims, pe)
    eps = _earnings(claims, pe)
    if price is None or eps is None or eps.value <= 0:
        return True
    if price.unit != eps.unit.partition("/")[0]:
        return True
    return abs(price.value / eps.value / pe.value - 1) < PE_TOLERANCE


def _price(claims: Sequence[Claim], pe: Claim) -> Claim | None:
    found = [
        claim
        for claim in claims
        if claim.symbol == pe.symbol
        and claim.metric in _PRICES
        and claim.as_of == pe.as_of
        and not (isinstance(claim.cite, ToolCite) and _ADJUSTED in (claim.cite.note or ""))
    ]
    return min(found, key=lambda claim: _PRICES.index(claim.metric), default=None)


def _earnings(claims: Sequence[Claim], pe: Claim) -> Claim | None:
    """The newest of the same company known on the day; of reports, the last annual one."""
    metric = _EARNINGS[pe.metric]
    found = [
        claim
        for claim in claims
        if claim.symbol == pe.symbol
        and claim.metric == metric
        and claim.as_of <= pe.as_of
        and (metric != "eps" or (claim.period or "").endswith("_Q4"))
    ]
    return max(found, key=lambda claim: claim.as_of, default=None)


def _fresh(case: Case) -> Text | None:
    """The newest day among the evidence lies within 24 hours of the clock."""
    today = case.now.date()
    days = [one.as_of for one in case.evidence if one.as_of is not None and one.as_of <= today]
    if days and max(days) >= (case.now - timedelta(hours=FRESH_HOURS)).date():
        return None
    if not days:
        return Text("没有带日期的证据", "no evidence has a day")
    newest = max(days).isoformat()
    return Text(
        f"数据不在 {FRESH_HOURS} 小时之内（最新 {newest}）",
        f"the data are older than {FRESH_HOURS} hours (newest {newest})",
    )


def _diverse(case: Case) -> Text | None:
    sources = {one.source for one in case.evidence} - _OURS
    if len(sources) >= LEAST_SOURCES:
        return None
    if not sources:
        return Text("没有来自数据源的证据", "no evidence is of a source")
    return Text("证据只来自一个数据源", "the evidence is of one source only")


def _check_described(case: Case) -> Text | None:
    """Every call says who answered and when; one that does not is a fault of ours or a forgery."""
    bare = [call.tool_call_id for call in case.trace.tool_calls if call.rows and not call.source]
    if not bare:
        return None
    return Text("有工具结果没有注明来源", "a tool's answer does not say its source")


def _list_failed(case: Case) -> list[Text]:
    """The tools of which no call brought anything, and the parts that others did not bring."""
    answered = {one.name for one in case.called if one.error is None}
    failed = [one.name for one in case.called if one.error not in {None, _MISTAKE}]
    absent = [part for one in case.called for part in one.absent]
    whole = [title_of(name) for name in dict.fromkeys(failed) if name not in answered]
    return list(dict.fromkeys([*whole, *absent]))


def _old(case: Case) -> list[Text]:
    """The dated inputs whose newest cited figure is old, each with its day."""
    cited = {name for one in case.evidence for name in one.claims}
    newest: dict[str, date] = {}
    for claim in case.claims:
        metric = CATALOGUE.figures.get(claim.metric)
        if claim.claim_id in cited and metric is not None and metric.kind in _DATED:
            newest[metric.kind] = max(claim.as_of, newest.get(metric.kind, claim.as_of))
    found: list[Text] = []
    for kind, (zh, en) in _DATED.items():
        day, today = newest.get(kind), case.now.date()
        if day is not None and (today - day).days > _OURS_TOO["old_input_days"]:
            found.append(Text(f"{zh}（{day.isoformat()}）", f"{en} ({day.isoformat()})"))
    return found


# The points of seed §11.2; the last is §7's check of what the tools say of themselves.
CHECKS: Mapping[str, tuple[float, Check]] = {
    "evidence": (20.0, _evidence_marked),
    "pe_consistency": (10.0, _pe_consistent),
    "freshness": (5.0, _fresh),
    "source_diversity": (5.0, _diverse),
    "tool_metadata": (10.0, _check_described),
}
# Ours: the points of each thing that is amiss, what stands before their list, and how to find them.
COUNTS: Mapping[str, tuple[str, Text, Count]] = {
    "failed_tools": ("failed_tool_points", Text("没有取得", "not obtained"), _list_failed),
    "old_inputs": ("old_input_points", Text("距今已久", "old"), _old),
}
