"""A finished analysis as a view: its statements with their marks, and everything they stand on."""

import re
from collections.abc import Sequence

from services.agents.evidence import Marks
from services.agents.results import AgentRunResult, RuntimeDraft, VerifiedFailure
from services.agents.service import Result
from services.core.catalogue import CATALOGUE
from services.core.rendering import PLACE, pieces, place, place_of
from services.core.text import Language, Text
from services.core.trace import Trace
from services.market.names.names import Names
from services.statements.choosing import TITLES
from services.views.analysis_tables import (
    cited_figures,
    evidence_table,
    models_table,
    standing_figures,
    tools_table,
)
from services.views.analysis_view import (
    AnalysisText,
    AnalysisView,
    Less,
    Opinion,
    RefusedText,
    Section,
)
from services.views.analysis_words import SECTIONS, points, rule_words, writer_words
from services.views.ask_view import Outside
from services.views.labels import labels_in
from services.views.report_charts import charts_of

# A figure and a metric as a check names them to a model.
_VALUED = re.compile(r"\b([a-z][a-z0-9_]*)=(-?[0-9][0-9.e+-]*) ([A-Za-z_]+)")
_METRIC_ID = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b(?:roe|eps|dps|bps|pb|rsi|atr)\b")
_WEB = re.compile(r"https?://", re.IGNORECASE)


def view_of(names: Names, title: Text, result: Result) -> AnalysisView:
    """The view of a report, or of the figures that stand where its text was refused."""
    if isinstance(result, AgentRunResult):
        return _report(names, title, result)
    return _failure(title, result)


def _report(names: Names, title: Text, result: AgentRunResult) -> AnalysisView:
    draft = result.runtime_draft
    marks = Marks(result.claims, result.trace)
    told = {text: AnalysisText(text, marks.of(text)) for text in draft.texts}
    parts = (draft.key_points, draft.recommendations, draft.risk_factors)
    symbols = dict.fromkeys(claim.symbol for claim in result.claims)
    return AnalysisView(
        title=title,
        claims={claim.claim_id: claim for claim in result.claims},
        trace=result.trace,
        run_ids=(result.run_id,),
        notes=tuple(one for one in _beside(result)),
        result=result,
        language=result.analysis_input.language,
        as_of=result.analysis_input.as_of,
        writer=writer_words(draft),
        why=draft.note if draft.note else None,
        summary=told[draft.summary],
        sections=tuple(
            Section(name, tuple(told[text] for text in texts))
            for name, texts in zip(SECTIONS, parts, strict=True)
            if texts
        ),
        charts=charts_of(result.claims, result.trace, asked.symbol, asked.language)
        if (asked := result.analysis_input).symbol
        else (),
        opinions=opinions_of(draft),
        labels=labels_in(draft.texts, (names.name(symbol) for symbol in symbols)),
        quotes=_quotes(draft, result.trace),
        outside=outside_of(draft, result.trace),
        confidence=points(result.confidence),
        deductions=tuple(
            Less(rule_words(one.rule), points(one.points), one.reason) for one in result.deductions
        ),
        evidence=evidence_table(result.evidence, result.trace),
        figures=cited_figures(result.claims, result.evidence, _list_cited(draft)),
        tools=tools_table(result.tool_calls),
        models=models_table(result.trace.model_calls),
        markdown=result.final_report.markdown,
    )


def opinions_of(draft: RuntimeDraft) -> tuple[Opinion, ...]:
    """A model's free words, each with its section's heading."""
    return tuple(Opinion(Text(*TITLES[one.section]), one.text) for one in draft.views)


def _failure(title: Text, result: VerifiedFailure) -> AnalysisView:
    return AnalysisView(
        title=title,
        claims={claim.claim_id: claim for claim in result.claims},
        trace=result.trace,
        run_ids=(result.run_id,),
        notes=result.warnings,
        result=result,
        language=result.analysis_input.language,
        as_of=result.analysis_input.as_of,
        refusals=_refusals(result),
        next_step=result.next_step,
        evidence=evidence_table((), result.trace),
        figures=standing_figures(result),
        tools=tools_table(result.tool_calls),
        models=models_table(result.trace.model_calls),
    )


def _refusals(result: VerifiedFailure) -> tuple[RefusedText, ...]:
    """Each reason once, with the rounds it was given in, in words and figures of the reader's."""
    rounds: dict[Text, dict[int, None]] = {}
    for one in result.refusals:
        rounds.setdefault(one.reason, {})[one.round] = None
    known = {(claim.metric, repr(claim.value), claim.unit): claim for claim in result.claims}

    def told(text: str, language: Language) -> str:
        def figure(found: re.Match[str]) -> str:
            metric, value, unit = found.groups()
            claim = known.get((metric, value, unit))
            called = CATALOGUE[metric].label(language) if metric in CATALOGUE.figures else metric
            return f"{called} {place(claim)}" if claim else found.group()

        def name(found: re.Match[str]) -> str:
            metric = CATALOGUE.figures.get(found.group())
            return metric.label(language) if metric else found.group()

        cited = _VALUED.sub(figure, text)
        return "".join(
            _METRIC_ID.sub(name, one) if isinstance(one, str) else place_of(one.claim_id, one.style)
            for one in pieces(cited)
        )

    return tuple(
        RefusedText(tuple(found), Text(told(reason.zh, "zh"), told(reason.en, "en")))
        for reason, found in rounds.items()
    )


def _beside(result: AgentRunResult) -> Sequence[Text]:
    """The warnings that are told nowhere else on the page: not the deductions, not who wrote it."""
    told = {one.reason for one in result.deductions} | {result.runtime_draft.note}
    return [one for one in result.warnings if one not in told]


def _list_cited(draft: RuntimeDraft) -> list[str]:
    return [name for text in draft.texts for name in PLACE.findall(text)]


def _quotes(draft: RuntimeDraft, trace: Trace) -> tuple[str, ...]:
    """The texts from outside that stand in the report word for word, longest first."""
    written = draft.content
    found = {
        text
        for call in trace.tool_calls
        for item in call.items
        for text in (item.title, item.text)
        if text and text in written
    }
    return tuple(sorted(found, key=len, reverse=True))


def outside_of(draft: RuntimeDraft, trace: Trace) -> tuple[Outside, ...]:
    """The texts from outside whose title the report quotes, each with where it is from; an address
    is one of the web or none.
    """
    written = draft.content
    found = {
        item.item_id: Outside(
            item.title,
            item.text,
            item.url if item.url and _WEB.match(item.url) else None,
            item.author,
            item.published_at.isoformat() if item.published_at else None,
            item.origin,
        )
        for call in trace.tool_calls
        for item in call.items
        if item.title and item.title in written
    }
    return tuple(found.values())
