"""The whole of one analysis: understand, gather, write, prove, weigh, format (seed 004 §4).

A text that was refused twice becomes a VerifiedFailure, never a quieter text. A runtime that broke
is replaced by the rules, and the report says so.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.agents.analysis_request import understood
from services.agents.composing import compose
from services.agents.conversation import RuntimeFailedError
from services.agents.draft_check import Proof
from services.agents.dropping import drop_unproved
from services.agents.evidence import Marks
from services.agents.gathering import limits, plan
from services.agents.guardrails import Case, confidence, deductions
from services.agents.model_failure_words import why_no_answer
from services.agents.options import AgentOptions
from services.agents.report_words import quotations
from services.agents.results import (
    AgentFinalReport,
    AgentRunRequest,
    AgentRunResult,
    AnalysisInput,
    CalledTool,
    CallEvidence,
    Deduction,
    Refusal,
    RuntimeDraft,
    VerifiedFailure,
)
from services.agents.skills import AgentSkillRegistry, Skill
from services.agents.titles import title_of
from services.agents.tool_answers import Showing
from services.agents.toolkit import CallResult, Toolkit
from services.agents.writing import Engine, WritingDesk, write_chosen
from services.core.claims import Claim
from services.core.clock import Clock
from services.core.errors import ProviderError
from services.core.ledger import Ledger
from services.core.rendering import render
from services.core.text import NO_TEXT, Text
from services.core.trace import Trace
from services.jobs.runner import CancelledError
from services.jobs.steps import Step, StepWatcher, Unwatched
from services.market.events.events import EventsFound
from services.tools.base import Tool, Workbench
from services.tools.running import Finished, Runner
from services.tools.stock_feed import StockFeed

KIND = "analysis"
_AS_ASKED = Text("按要求由规则撰写", "written by rule, as asked for")
_MARKET_BY_RULE = Text(
    "市场概览由规则撰写，模型只为公司挑选陈述",
    "the market is written by rule: a model chooses statements of companies alone",
)
_MOVES = Text("异动：{told}", "Abnormal moves: {told}")
_NO_MODEL = Text("没有配置模型，由规则撰写", "written by rule, as no model is configured")
# Draft, marks of each text in reading order, and everything else the report is made of → Markdown.
Formatter = Callable[["Material"], str]


@dataclass(frozen=True, slots=True)
class WrittenText:
    """`draft` is one that was proved, None when nothing of it stands; why the rest does not."""

    draft: RuntimeDraft | None
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is formatted from. `marks` belong to `draft.texts`, one set each."""

    asked: AnalysisInput
    draft: RuntimeDraft
    marks: tuple[tuple[str, ...], ...]
    claims: Sequence[Claim]
    trace: Trace
    evidence: tuple[CallEvidence, ...]
    sources: tuple[str, ...]
    confidence: float
    deductions: tuple[Deduction, ...]
    warnings: tuple[Text, ...]
    called: tuple[CalledTool, ...]
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Outcome:
    written: WrittenText
    called: tuple[CalledTool, ...]
    notes: tuple[Text, ...] = ()


class AgentOrchestrator:
    """Runs analyses. Safe to share between threads: each run has its own ledger and talk."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        bench: Workbench,
        runner: Runner,
        options: AgentOptions,
        engine: Engine,
        formatter: Formatter,
        real: Clock | None = None,
    ) -> None:
        """`formatter` writes the Markdown; `real` says when a report is made, whatever day the
        clock of its data stands at. Raises: InputError for an unknown default skill."""
        self._tools = tools
        self._bench = replace(bench, indicator_backend=options.tools.indicators.backend)
        self._runner = runner
        self._options = options
        self._engine = engine
        self._formatter = formatter
        self._real = real
        self._skills = AgentSkillRegistry(options.default_skill)

    @property
    def clock(self) -> Clock:
        """What time it is for an analysis."""
        return self._bench.clock

    def understood(self, request: AgentRunRequest) -> tuple[AnalysisInput, Skill]:
        """Whom and what the request is about; nothing is asked of anyone. Raises: InputError."""
        skill = self._skills.find(request.skill_id, request.mode)
        asked = understood(request, skill, self._options, self._bench.names, self._bench.clock)
        return asked, skill

    def run(
        self, request: AgentRunRequest, session_id: str, watch: StepWatcher | None = None
    ) -> AgentRunResult | VerifiedFailure:
        """The analysis, every figure of it verified; or why there is none.

        Raises: InputError, NotVerifiedError (a claim of ours does not hold), CancelledError.
        """
        watch = watch or Unwatched()
        asked, skill = self.understood(request)
        watch.step(Step(kind="begun", title=Text(skill.zh, skill.en)))
        finished = self._runner.run(
            KIND,
            {"symbol": asked.symbol, "skill": skill.skill_id, "question": asked.question},
            lambda ledger: self._work(ledger, request, asked, skill, watch),
            session_id=session_id,
            patience_s=self._engine.deadline_s + self._runner.patience_s * 20,
        )
        found = finished.output.written
        if found.draft is None:
            return _failure(asked, finished, found.refusals)
        watch.step(Step(kind="composed", title=Text("整理成报告", "putting the report together")))
        return self._result(asked, finished, found.draft)

    def _work(
        self,
        ledger: Ledger,
        request: AgentRunRequest,
        asked: AnalysisInput,
        skill: Skill,
        watch: StepWatcher,
    ) -> _Outcome:
        toolkit = self._toolkit(ledger, asked, skill, watch)
        gathered = toolkit.call_all(plan(asked, skill, self._options), "plan")
        if watch.cancelled():
            raise CancelledError("cancelled")
        if request.by_rule:
            done = self._by_rule(toolkit, asked, gathered, _AS_ASKED, watch)
        else:
            done = self._write(toolkit, asked, gathered, watch)
        return _Outcome(done, tuple(toolkit.called), tuple(_tell_unjudged(gathered)))

    def _toolkit(
        self, ledger: Ledger, asked: AnalysisInput, skill: Skill, watch: StepWatcher
    ) -> Toolkit:
        """The tools that the skill has and the settings leave on."""
        off = self._options.tools.disabled()
        allowed = [name for name in skill.tools if name in self._tools and name not in off]
        return Toolkit(
            {name: self._tools[name] for name in allowed},
            self._bench,
            ledger,
            Showing(secrets.token_hex(4), asked.language),
            watch,
            limits=limits(self._options),
            patience_s=self._runner.patience_s,
        )

    def _write(
        self,
        toolkit: Toolkit,
        asked: AnalysisInput,
        gathered: tuple[CallResult, ...],
        watch: StepWatcher,
    ) -> WrittenText:
        engine = self._engine
        if engine.model is None:
            return self._by_rule(toolkit, asked, gathered, _NO_MODEL, watch)
        if asked.symbol is None:
            return self._by_rule(toolkit, asked, gathered, _MARKET_BY_RULE, watch)
        try:
            draft = write_chosen(
                WritingDesk(engine, self._options, self._bench.names),
                toolkit,
                asked,
                gathered,
                watch,
            )
            kept = drop_unproved(draft, asked, self._proof(toolkit))
            return WrittenText(kept.draft, kept.refusals)
        except RuntimeFailedError as error:
            why = error.why
        except ProviderError as error:
            why = why_no_answer(error)
        note = Text(
            f"模型没有写成（{why.zh}），由规则撰写",
            f"no text from the model ({why.en}): written by rule",
        )
        watch.step(Step(kind="fell_back", title=note, error="RuntimeFailedError"))
        return self._by_rule(toolkit, asked, gathered, note, watch)

    def _by_rule(
        self,
        toolkit: Toolkit,
        asked: AnalysisInput,
        gathered: tuple[CallResult, ...],
        note: Text,
        watch: StepWatcher,
    ) -> WrittenText:
        written_by_rule = compose(asked, gathered, toolkit.ledger, note)
        proof = self._proof(toolkit)
        kept = drop_unproved(written_by_rule, asked, proof)
        title = Text("每个数字都已核对", "every figure checked")
        told = tuple(one.reason for one in kept.refusals)
        watch.step(Step(kind="checked", title=title, round=1, detail=told))
        return WrittenText(kept.draft, kept.refusals)

    def _proof(self, toolkit: Toolkit) -> Proof:
        """What texts are held against: all that the run knows."""
        given = toolkit.ledger.claims
        symbols = dict.fromkeys(claim.symbol for claim in given)
        return Proof(
            claims=given,
            names={symbol: self._list_names(symbol) for symbol in symbols},
            quotes=quotations(toolkit.ledger.trace),
            others=self._bench.names.numbered,
        )

    def _list_names(self, symbol: str) -> tuple[str, ...]:
        names = self._bench.names
        row = names.row(symbol)
        if row is None:
            return ()
        called = names.list_names(symbol)
        return tuple(dict.fromkeys((row.name, *called.own, *called.other)))

    def _result(
        self, asked: AnalysisInput, finished: Finished[_Outcome], draft: RuntimeDraft
    ) -> AgentRunResult:
        material = self._material(asked, finished, draft)
        return AgentRunResult(
            analysis_input=asked,
            runtime_draft=draft,
            final_report=self._report(material),
            tool_calls=finished.output.called,
            evidence=material.evidence,
            confidence=material.confidence,
            deductions=material.deductions,
            warnings=material.warnings,
            claims=finished.claims,
            trace=finished.trace,
            run_id=finished.run_id,
            made_at=material.made_at,
        )

    def _material(
        self, asked: AnalysisInput, finished: Finished[_Outcome], draft: RuntimeDraft
    ) -> Material:
        """The draft with its marks, its evidence, and how far it may be trusted."""
        claims, trace = finished.claims, finished.trace
        marks = Marks(claims, trace)
        marked = tuple(marks.of(text) for text in draft.texts)
        evidence = marks.evidence()
        now, options = self.clock.now(), self._options.guardrails
        called = finished.output.called
        found = deductions(Case(marked, evidence, claims, trace, now, options, called))
        warnings = [*([draft.note] if draft.note else []), *(one.reason for one in found)]
        warnings += [_tell_call(one) for one in called if one.error]
        warnings += finished.output.notes
        return Material(
            asked=asked,
            draft=draft,
            marks=marked,
            claims=claims,
            trace=trace,
            evidence=evidence,
            sources=tuple(dict.fromkeys(f"{one.source}.{one.table}" for one in evidence)),
            confidence=confidence(found),
            deductions=found,
            warnings=tuple(dict.fromkeys(warnings)),
            called=called,
            made_at=self._real.now() if self._real is not None else None,
        )

    def _report(self, material: Material) -> AgentFinalReport:
        claims = {claim.claim_id: claim for claim in material.claims}
        language = material.asked.language
        draft, marks = material.draft, iter(material.marks)

        def told(text: str) -> str:
            found = next(marks)
            return render(text, claims, language) + "".join(f" [{mark}]" for mark in found)

        return AgentFinalReport(
            summary=told(draft.summary),
            key_points=tuple(told(text) for text in draft.key_points),
            recommendations=tuple(told(text) for text in draft.recommendations),
            risk_factors=tuple(told(text) for text in draft.risk_factors),
            data_sources=material.sources,
            confidence=material.confidence,
            markdown=self._formatter(material),
        )


def _tell_unjudged(gathered: Sequence[CallResult]) -> Iterator[Text]:
    """Which sessions could not be judged for abnormal moves, and why."""
    for one in gathered:
        found = one.view.events if isinstance(one.view, StockFeed) else None
        if isinstance(found, EventsFound) and found.unjudged.told:
            yield _MOVES.format(told=found.unjudged.told)


def _tell_call(called: CalledTool) -> Text:
    """Which tool brought nothing, and why."""
    name, why = title_of(called.name), called.message or NO_TEXT
    return Text(f"{name.zh}：{why.zh}", f"{name.en}: {why.en}")


def _failure(
    asked: AnalysisInput, finished: Finished[_Outcome], refusals: tuple[Refusal, ...]
) -> VerifiedFailure:
    return VerifiedFailure(
        analysis_input=asked,
        refusals=refusals,
        claims=finished.claims,
        trace=finished.trace,
        next_step=(
            Text(
                "下面的数字都已核对，可以直接使用；要文字，请换一个更具体的问题再试，或改用规则撰写",
                "the figures below are verified and may be used; for a text, ask something more "
                "specific, or have it written by rule",
            )
        ),
        tool_calls=finished.output.called,
        warnings=tuple(
            dict.fromkeys(_tell_call(one) for one in finished.output.called if one.error)
        ),
        run_id=finished.run_id,
    )
