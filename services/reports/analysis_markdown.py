"""A deep analysis as Markdown: every figure with its footnote, every statement with its evidence.

Text that a model or an outside source wrote is escaped: it can form no markup, link or footnote.
"""

from collections.abc import Sequence

from services.agents.orchestrator import Material
from services.core.claims import Claim
from services.core.rendering import PLACE, Language
from services.reports.analysis_words import (
    SECTIONS,
    capability_words,
    points,
    rule_words,
    writer_words,
)
from services.reports.markdown import Footnotes, escape, prose_markdown, with_sources
from services.reports.provenance import Ground
from services.reports.source_words import source_words
from services.reports.table import Words, reason_words

_SUMMARY = Words("结论", "Summary")
_ABOUT = Words("对象", "About")
_QUESTION = Words("问题", "Question")
_DAY = Words("截至", "As of")
_WRITER = Words("撰写", "Written")
_CONFIDENCE = Words("可信度", "Confidence")
_EVIDENCE = Words("证据", "Evidence")
_WARNINGS = Words("须知", "To be known")
_CHECK = Words("核对", "Verification")
_NO_EVIDENCE = Words("没有取得可以引用的资料。", "Nothing that could be cited was had.")
_MARKET = Words("市场", "market")


def write_markdown(material: Material) -> str:
    """The whole report in the language it was asked in."""
    asked, draft = material.asked, material.draft
    language = asked.language
    claims = {claim.claim_id: claim for claim in material.claims}
    notes = Footnotes(Ground(claims, material.trace), language)
    marks = iter(material.marks)

    def told(text: str) -> str:
        return prose_markdown(text, notes, language) + _marks(next(marks))

    blocks = [f"# {escape(material.title)}", _about(material)]
    blocks += [f"## {_SUMMARY.text(language)}", told(draft.summary)]
    parts = (draft.key_points, draft.recommendations, draft.risk_factors)
    for name, texts in zip(SECTIONS, parts, strict=True):
        if texts:
            blocks += [f"## {name.text(language)}", "\n".join(f"- {told(text)}" for text in texts)]
    blocks += [f"## {_EVIDENCE.text(language)}", _evidence(material)]
    blocks += [f"## {_CONFIDENCE.text(language)} {points(material.confidence)} / 100"]
    if material.deductions:
        blocks.append(_deductions(material))
    if material.warnings:
        said = [escape(reason_words(one).text(language)) for one in material.warnings]
        blocks += [f"## {_WARNINGS.text(language)}", "\n".join(f"- {one}" for one in said)]
    blocks += [f"## {_CHECK.text(language)}", _checked(draft.texts, claims, language)]
    return with_sources(blocks, notes, language)


def _about(material: Material) -> str:
    asked, language = material.asked, material.asked.language
    who = escape(asked.name or f"{asked.market or ''} {_MARKET.text(language)}")
    code = f" `{asked.symbol}`" if asked.symbol else ""
    lines = [f"{_ABOUT.text(language)}: {who}{code}"]
    if asked.question:
        lines.append(f"{_QUESTION.text(language)}: {escape(asked.question)}")
    lines.append(f"{_DAY.text(language)}: {asked.as_of.isoformat()}")
    by = escape(writer_words(material.draft).text(language))
    why = material.draft.note
    reason = f" · {escape(reason_words(why).text(language))}" if why else ""
    lines.append(f"{_WRITER.text(language)}: {by}{reason}")
    lines.append(f"{_CONFIDENCE.text(language)}: {points(material.confidence)} / 100")
    return "\n".join(f"- {line}" for line in lines)


def _marks(found: Sequence[str]) -> str:
    return "".join(f" [{mark}]" for mark in found)


def _evidence(material: Material) -> str:
    language = material.asked.language
    calls = {call.tool_call_id: call for call in material.trace.tool_calls}
    lines: list[str] = []
    for one in material.evidence:
        what = capability_words(calls[one.tool_call_id]).text(language)
        by = source_words(one.source).text(language)
        about = [f"{escape(what)}", f"{escape(by)} `{one.source}.{one.table}`"]
        if one.as_of is not None:
            about.append(f"{_DAY.text(language)} {one.as_of.isoformat()}")
        about += [one.fetched_at.isoformat(), f"`{one.tool_call_id}`"]
        lines.append(f"- [{one.marker}] {' · '.join(about)}")
    return "\n".join(lines) or _NO_EVIDENCE.text(language)


def _deductions(material: Material) -> str:
    language = material.asked.language
    return "\n".join(
        f"- −{points(one.points)} {rule_words(one.rule).text(language)}: "
        f"{escape(reason_words(one.reason).text(language))}"
        for one in material.deductions
    )


def _checked(texts: Sequence[str], claims: dict[str, Claim], language: Language) -> str:
    count = sum(len(PLACE.findall(text)) for text in texts)
    return Words(
        f"文中 {count} 处数字逐一由代码核对过数值、单位、公司、指标与期间；"
        f"本次取得的 {len(claims)} 个数字都能追到来源。",
        f"Each of the {count} figures in the text was checked by code: value, unit, company, "
        f"metric, period; all {len(claims)} figures of this run lead to their source.",
    ).text(language)
