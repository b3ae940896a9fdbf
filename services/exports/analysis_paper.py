"""A deep analysis as a paper: every statement with its evidence marks, then what they stand on.

A report keeps the language it was asked in, so that what is read on the page, kept in the store
and given away is one document.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.agents.evidence import Marks
from services.agents.orchestrator import Material
from services.agents.results import AgentRunResult, AnalysisInput, CalledTool, RuntimeDraft
from services.agents.skills import SKILLS
from services.core.clock import BEIJING
from services.core.rendering import PLACE
from services.core.text import Language, Text
from services.exports.ask_paper import OUTSIDE, quote
from services.exports.paper import Block, Bullets, Heading, Paper, PaperLine, Prose
from services.exports.paper_lines import make_labelled, make_note
from services.exports.table_paper import paper_table
from services.views.analysis_result import opinions_of, outside_of
from services.views.analysis_tables import (
    cited_figures,
    evidence_table,
    models_table,
    tools_table,
)
from services.views.analysis_view import AnalysisView, RefusedText
from services.views.analysis_words import OPINIONS, SECTIONS, points, rule_words, writer_words
from services.views.ask_view import Outside
from services.views.report_charts import ReportChart, charts_of
from services.views.syncing import MARKET_NAMES

_SUMMARY = Text("结论", "Summary")
_ABOUT = Text("对象", "About")
_QUESTION = Text("问题", "Question")
_DAY = Text("截至", "As of")
_WRITER = Text("撰写", "Written")
_MADE = Text("撰写时间", "Made at")
_CONFIDENCE = Text("可信度", "Confidence")
_EVIDENCE = Text("证据", "Evidence")
_WARNINGS = Text("须知", "Notes")
_CHECK = Text("核对", "Verification")
_NO_EVIDENCE = Text("没有取得可以引用的资料。", "Nothing that could be cited was had.")
_MARKET = Text("市场", "market")
_REFUSED = Text("文字未通过核对", "The text did not pass the checks")
_ROUND = Text("第 {} 轮：", "Round {}: ")
_NEXT = Text("下一步", "What to do next")


@dataclass(frozen=True, slots=True)
class _Report:
    """What a report is made of, from what was just written or from what the store has."""

    title: str
    written: AgentRunResult | Material
    asked: AnalysisInput
    draft: RuntimeDraft
    marks: Mapping[str, Sequence[str]]
    called: tuple[CalledTool, ...]
    outside: tuple[Outside, ...]
    known: tuple[str, ...] = ()
    run_ids: tuple[str, ...] = ()


def material_paper(material: Material) -> Paper:
    """The report that has just been written, before it has a place in the store."""
    return _paper(
        _Report(
            title=_title(material.asked),
            written=material,
            asked=material.asked,
            draft=material.draft,
            marks=dict(zip(material.draft.texts, material.marks, strict=True)),
            called=material.called,
            outside=outside_of(material.draft, material.trace),
        )
    )


def analysis_paper(view: AnalysisView, language: Language) -> Paper:
    """The stored report in its own language; in `language` the figures that stand without one."""
    result = view.result
    if not isinstance(result, AgentRunResult):
        return _failure(view, language)
    marks = Marks(result.claims, result.trace)
    return _paper(
        _Report(
            title=_title(result.analysis_input),
            written=result,
            asked=result.analysis_input,
            draft=result.runtime_draft,
            marks={text: marks.of(text) for text in result.runtime_draft.texts},
            called=result.tool_calls,
            outside=view.outside,
            known=(*view.labels, *view.quotes),
            run_ids=view.run_ids,
        )
    )


def _market(asked: AnalysisInput) -> Text:
    known = {str(market): words for market, words in MARKET_NAMES.items()}
    name = known.get(asked.market or "", Text("", ""))
    return Text(f"{name.zh}{_MARKET.zh}", f"{name.en} {_MARKET.en}".strip())


def _title(asked: AnalysisInput) -> str:
    title = SKILLS[asked.skill_id].title_of(Text.of(asked.called or asked.name or ""))
    return title.in_language(asked.language)


def _paper(report: _Report) -> Paper:
    language = report.asked.language
    blocks: list[Block] = [Bullets(lines=tuple(_about(report)))]
    blocks += _list_told(report)
    blocks += _grounds(report)
    blocks += _trust(report)
    if report.outside:
        blocks.append(Heading(text=OUTSIDE.in_language(language)))
        blocks += map(quote, report.outside)
    blocks += [paper_table(tools_table(report.called), language, {})]
    models = models_table(report.written.trace.model_calls)
    blocks += [paper_table(models, language, {})] if models else []
    return Paper(
        kind="report",
        language=language,
        title=report.title,
        run_ids=report.run_ids,
        blocks=tuple(blocks),
    )


def _about(report: _Report) -> list[PaperLine]:
    asked, language = report.asked, report.asked.language
    who = asked.called or asked.name or _market(asked).in_language(language)
    lines = [make_labelled(_ABOUT.in_language(language), f"{who} {asked.symbol or ''}".strip())]
    if asked.question:
        lines.append(make_labelled(_QUESTION.in_language(language), asked.question))
    by = writer_words(report.draft).in_language(language)
    why = report.draft.note.in_language(language) if report.draft.note else ""
    # A reason that says who wrote it does so alone.
    by = why if by in why else f"{by} · {why}" if why else by
    return [
        *lines,
        make_labelled(_DAY.in_language(language), asked.as_of.isoformat()),
        make_labelled(_WRITER.in_language(language), by),
        *_tell_made_at(report),
        make_labelled(_CONFIDENCE.in_language(language), _points(report)),
    ]


def _tell_made_at(report: _Report) -> list[PaperLine]:
    """When it was made by real time, which the clock of its data need not show."""
    at = report.written.made_at
    if at is None:
        return []
    told = at.astimezone(BEIJING).isoformat(timespec="minutes")
    return [make_labelled(_MADE.in_language(report.asked.language), told)]


def _list_told(report: _Report) -> list[Block]:
    language, draft = report.asked.language, report.draft

    made = {one.text: one for one in draft.made}

    def make_line(text: str) -> PaperLine:
        marks = tuple(report.marks[text])
        return PaperLine(template=text, marks=marks, known=report.known, made=made.get(text))

    blocks: list[Block] = [
        Heading(text=_SUMMARY.in_language(language)),
        Prose(line=make_line(draft.summary)),
    ]
    parts = (draft.key_points, draft.recommendations, draft.risk_factors)
    for name, texts in zip(SECTIONS, parts, strict=True):
        if texts:
            blocks.append(Heading(text=name.in_language(language)))
            blocks.append(Bullets(lines=tuple(make_line(text) for text in texts)))
        if texts is draft.key_points:
            blocks += _charts(report)
    if opinions := opinions_of(draft):
        blocks.append(Heading(text=OPINIONS.in_language(language)))
        blocks.append(
            Bullets(
                lines=tuple(
                    PaperLine(
                        template=f"{one.section.in_language(language)}: {one.text}", kind="outside"
                    )
                    for one in opinions
                )
            )
        )
    return blocks


def _charts(report: _Report) -> tuple[ReportChart, ...]:
    """A picture to each section that has one: results, price, peers."""
    asked, written = report.asked, report.written
    if asked.symbol is None:
        return ()
    return charts_of(written.claims, written.trace, asked.symbol, asked.language)


def _grounds(report: _Report) -> list[Block]:
    """The marks with their calls, and every figure of the text."""
    language, written = report.asked.language, report.written
    evidence = evidence_table(written.evidence, written.trace)
    if not evidence.rows:
        none = PaperLine(template=_NO_EVIDENCE.in_language(language))
        return [Heading(text=_EVIDENCE.in_language(language)), Prose(line=none)]
    cited = [name for text in report.draft.texts for name in PLACE.findall(text)]
    figures = cited_figures(written.claims, written.evidence, cited)
    claims = {claim.claim_id: claim for claim in written.claims}
    return [paper_table(one, language, claims) for one in (evidence, figures)]


def _trust(report: _Report) -> list[Block]:
    """How far it may be trusted: confidence, what it was lowered for, what is to be known."""
    language, written = report.asked.language, report.written
    blocks: list[Block] = [Heading(text=f"{_CONFIDENCE.in_language(language)} {_points(report)}")]
    if written.deductions:
        lines = tuple(
            PaperLine(
                template=f"−{points(one.points)} {rule_words(one.rule).in_language(language)}: "
                f"{one.reason.in_language(language)}",
                kind="label",
            )
            for one in written.deductions
        )
        blocks.append(Bullets(lines=lines))
    if written.warnings:
        lines = tuple(make_note(one.in_language(language)) for one in written.warnings)
        blocks += [Heading(text=_WARNINGS.in_language(language)), Bullets(lines=lines)]
    checked = PaperLine(template=_tell_checked(report).in_language(language), kind="label")
    return [*blocks, Heading(text=_CHECK.in_language(language)), Bullets(lines=(checked,))]


def _points(report: _Report) -> str:
    return f"{points(report.written.confidence)} / 100"


def _tell_checked(report: _Report) -> Text:
    count = sum(len(PLACE.findall(text)) for text in report.draft.texts)
    claims = len({claim.claim_id for claim in report.written.claims})
    made = sum(len(one.statements) for one in report.draft.made)
    views = len(report.draft.views)
    return Text(
        f"文中 {made} 条陈述与 {count} 处数字逐一由代码核对过数值、单位、公司、指标与期间；"
        f"本次取得的 {claims} 个数字都能追到来源"
        + (f"；模型看法 {views} 条没有核对。" if views else "。"),
        f"Each of the {made} statements and {count} figures in the text was checked by code: "
        f"value, unit, company, metric, period; all {claims} figures of this run lead to their "
        f"source{f'; views of a model, not checked: {views}' if views else ''}.",
    )


def _failure(view: AnalysisView, language: Language) -> Paper:
    """Why there is no text, what to do, and the figures that stand."""
    refused = tuple(_refusal(one, language) for one in view.refusals)
    blocks: list[Block] = [Bullets(title=_REFUSED.in_language(language), lines=refused)]
    if view.next_step is not None:
        step = PaperLine(template=view.next_step.in_language(language))
        blocks.append(Bullets(title=_NEXT.in_language(language), lines=(step,)))
    if view.notes:
        lines = tuple(make_note(note.in_language(language)) for note in view.notes)
        blocks.append(Bullets(title=_WARNINGS.in_language(language), lines=lines))
    blocks += [paper_table(table, language, view.claims) for table in view.tables()]
    return Paper(
        kind="report",
        language=language,
        title=view.title.in_language(language),
        run_ids=view.run_ids,
        blocks=tuple(blocks),
    )


def _refusal(one: RefusedText, language: Language) -> PaperLine:
    """A reason names figures of ours and repeats none of the refused text."""
    rounds = _ROUND.in_language(language).format("、".join(map(str, one.rounds)))
    return PaperLine(template=rounds + one.reason.in_language(language), known=(rounds,))
