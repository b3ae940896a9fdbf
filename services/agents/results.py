"""What an analysis takes and brings, under the names of its specification (seed 004 §12).

Texts a reader sees are templates with `{{c:ID}}` where figures stand, and the rendered text beside
them. Nothing here knows a model.
"""

from datetime import date
from typing import Literal

from pydantic import AwareDatetime, Field

from services.agents.model_views import ModelView
from services.core.claims import Claim
from services.core.record import Record
from services.core.text import Language, Text
from services.core.trace import Trace
from services.statements.proved_texts import Made

FilingKind = Literal["annual", "quarterly"]
RuntimeName = Literal["openai_tools", "action_json", "builtin"]
Mode = Literal["stock", "market"]


class AgentRunRequest(Record):
    """What was asked for. `skill_id` or an alias wins over `mode`, and either over the settings'
    default skill; a market needs no symbol.

    `by_rule`: no model is to be asked, though there is one.
    """

    question: str = ""
    mode: Mode | None = None
    skill_id: str | None = None
    symbol: str | None = None
    language: Language = "zh"
    by_rule: bool = False


class AnalysisInput(Record):
    """The question as understood: the skill, whom it is about, and how far back each kind looks.

    `price_days`, `filing_periods` (of `filing_kind`) and `news_days` are the windows;
    `as_of` is the clock's day; `called` is the name in the report's language.
    """

    question: str
    skill_id: str
    mode: Mode
    symbol: str | None = None
    name: str | None = None
    called: str | None = None
    market: str | None = None
    language: Language
    as_of: date
    price_days: int
    filing_periods: int
    filing_kind: FilingKind = "annual"
    news_days: int


class RuntimeDraft(Record):
    """What a runtime wrote: templates, one a section's item. `content` is all of it.

    `made` are the texts that statements make, each with what it is made of: they are proved by
    that, the others are read.
    `own_choice`: a model chose the statements, otherwise than the rules rank them.
    `views` are a model's free words: not checked, under no seal, no text of the report.
    `runtime` is who wrote it; `note` says why the rules wrote it and no model,
    and what was left out as unproved.
    """

    runtime: RuntimeName
    model: str | None = None
    summary: str
    key_points: tuple[str, ...] = ()
    recommendations: tuple[str, ...] = ()
    risk_factors: tuple[str, ...] = ()
    note: Text | None = None
    made: tuple[Made, ...] = Field(default=(), exclude_if=lambda made: not made)
    own_choice: bool = Field(default=False, exclude_if=lambda own: not own)
    views: tuple[ModelView, ...] = Field(default=(), exclude_if=lambda views: not views)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text a reader would see, in reading order."""
        return (self.summary, *self.key_points, *self.recommendations, *self.risk_factors)

    @property
    def content(self) -> str:
        """All of it, a text a line."""
        return "\n".join(self.texts)


class CallEvidence(Record):
    """What one tool call brought that the text stands on. `marker` is `E1`, `E2`, …

    `claims` are the cited claims it carries. `as_of` is the newest
    day among them, null for texts without a date.
    """

    marker: str
    title: Text
    tool: str
    source: str
    table: str
    tool_call_id: str
    as_of: date | None = None
    fetched_at: AwareDatetime
    claims: tuple[str, ...] = ()


class Deduction(Record):
    """Why confidence is lower: the rule of seed 004 §11, its points, and what was found."""

    rule: str
    points: float
    reason: Text


class AgentFinalReport(Record):
    """The report as text. `markdown` has a footnote at each figure and `[E*]` at each statement."""

    markdown: str
    summary: str
    key_points: tuple[str, ...]
    recommendations: tuple[str, ...]
    risk_factors: tuple[str, ...]
    data_sources: tuple[str, ...]
    confidence: float


class CalledTool(Record):
    """A tool the analysis used: by whom it was asked, how long it took, whether it answered.

    `absent` are the parts of a whole answer that did not come, as readers call them.
    """

    name: str
    arguments: str
    asked_by: Literal["plan", "model"]
    seconds: float
    claims: int
    error: str | None = None
    message: Text | None = None
    absent: tuple[Text, ...] = ()


class AgentRunResult(Record):
    """A finished analysis whose every figure was verified."""

    kind: Literal["report"] = "report"
    analysis_input: AnalysisInput
    runtime_draft: RuntimeDraft
    final_report: AgentFinalReport
    tool_calls: tuple[CalledTool, ...]
    evidence: tuple[CallEvidence, ...]
    confidence: float = Field(ge=0, le=100)
    deductions: tuple[Deduction, ...] = ()
    warnings: tuple[Text, ...] = ()
    claims: tuple[Claim, ...]
    trace: Trace
    run_id: str
    made_at: AwareDatetime | None = Field(default=None, exclude_if=lambda at: at is None)


class Refusal(Record):
    """One thing in a draft that does not hold, in words; the draft itself is not repeated.

    `quoted` is for who wrote it, with the words that do not hold: it is never kept and never shown.
    """

    round: int
    check: str
    reason: Text
    quoted: str = Field(default="", exclude=True, repr=False)


class VerifiedFailure(Record):
    """The text did not survive two rounds: what failed, which claims do stand, one next step.

    The refused texts are never part of it.
    """

    kind: Literal["failure"] = "failure"
    analysis_input: AnalysisInput
    refusals: tuple[Refusal, ...]
    claims: tuple[Claim, ...]
    trace: Trace
    next_step: Text
    tool_calls: tuple[CalledTool, ...] = ()
    warnings: tuple[Text, ...] = ()
    run_id: str
