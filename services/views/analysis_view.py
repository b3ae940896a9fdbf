"""What the page 报告 shows, as data: analyses in a list, one that runs, one that has ended."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, NamedTuple

from services.agents.results import AgentRunResult, VerifiedFailure
from services.core.text import Language, Text
from services.views.ask_view import Outside
from services.views.job_progress import JobCourse, Status
from services.views.report_charts import ReportChart
from services.views.table import Table, View


class AnalysisText(NamedTuple):
    """One text of a report: its template with places, and the evidence it stands on (`E1`)."""

    template: str
    marks: tuple[str, ...] = ()


class Section(NamedTuple):
    """A heading and the statements under it."""

    name: Text
    statements: tuple[AnalysisText, ...]


class Opinion(NamedTuple):
    """What a model thinks of a section: plain text, checked by nobody."""

    section: Text
    text: str


class Less(NamedTuple):
    """What confidence was lowered for: the check, by how many points, and what was found."""

    rule: Text
    points: str
    reason: Text


class RefusedText(NamedTuple):
    """Why a text was not let out, and in which rounds; `reason` may have places of figures."""

    rounds: tuple[int, ...]
    reason: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisView(View):
    """An analysis that ended with a result: a report, or the figures that stand without one.

    `result` is what it shows, as it was proved and stored. `language` is that of the texts,
    `as_of` the clock's day. `labels` are names in them whose digits are no figures, `quotes` texts
    from outside that they quote word for word, `outside` those with their origin.
    `confidence` is null and `summary` empty where the text was refused; then `refusals` and
    `next_step` say why and what to do. `figures` are those cited, or those that stand.
    """

    result: AgentRunResult | VerifiedFailure
    language: Language
    as_of: date
    evidence: Table
    figures: Table
    tools: Table
    models: Table | None
    writer: Text | None = None
    why: Text | None = None
    summary: AnalysisText | None = None
    sections: tuple[Section, ...] = ()
    charts: tuple[ReportChart, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    labels: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    outside: tuple[Outside, ...] = ()
    confidence: str | None = None
    deductions: tuple[Less, ...] = ()
    refusals: tuple[RefusedText, ...] = ()
    next_step: Text | None = None
    markdown: str = ""

    def tables(self) -> tuple[Table, ...]:
        """The figures, what they stand on, and how it was come by."""
        found = [self.figures, *([self.evidence] if self.evidence.rows else []), self.tools]
        return (*found, *([self.models] if self.models else []))


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis(JobCourse):
    """One analysis, at whatever stage: `view` is null until it ended with a result.

    `symbol` is null for a market.
    """

    title: Text
    symbol: str | None
    name: Text
    question: str
    view: AnalysisView | None


@dataclass(frozen=True, slots=True)
class ListedReport:
    """An analysis or a score in a list. `writer` and `confidence` are null where there is no
    report, `confidence` also of a score.

    `subject` is the symbol of its company, or the market it is about.
    """

    job_id: str
    kind: Literal["analysis", "score"]
    status: Status
    title: Text
    subject: str
    symbol: str | None
    name: Text
    question: str
    started_at: datetime
    writer: Text | None
    confidence: str | None
