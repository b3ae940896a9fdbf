"""What the page 持有评分 shows, as data: a score at whatever stage, a history, a batch."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, NamedTuple

from services.core.claims import Claim, Figure
from services.core.text import Language, Text
from services.scoring.models import Direction
from services.statements.proved_texts import Made
from services.views.job_progress import JobCourse, Status
from services.views.table import Table, View


class FactorLine(NamedTuple):
    """One factor. `share` and `filled` are lengths in percent for a bar: of the heaviest factor's
    weight, and of that how far the score reaches; `filled` is null without a score.
    `dated` says of which day its multiples are, null where the price has not moved since.
    """

    name: Text
    score: Figure
    weight: Claim
    coverage: Claim
    reason: Text
    missing: tuple[Text, ...]
    share: str
    filled: str | None
    dated: Text | None = None


class FindingLine(NamedTuple):
    """One finding of Step 1: its template, what it means for a holder, the day it is about."""

    text: Text
    direction: Direction
    as_of: date | None


class PartLine(NamedTuple):
    """One of the three analyses of Step 1; `why` says what lacks."""

    name: Text
    status: Literal["ok", "partial", "missing"]
    why: Text | None
    summary: Text
    findings: tuple[FindingLine, ...]


class RoundLine(NamedTuple):
    """One round: who wrote, who reviewed, the verdict and why. Of a refused text nothing is here.

    `said` is the reviewer's own reason, `failures` what the code found.
    """

    number: int
    passed: bool
    writer: Text
    reviewer: Text
    said: str
    failures: tuple[Text, ...]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView(View):
    """A score that was released. `score` is the factor model's, a claim; `judged` a model's own
    score as it gave it, null where the rules scored. `reason` is a template in `language`, `made`
    its lines that statements make, `retold` the same of the same facts in the other language, empty
    where a model wrote it; `labels` and `quotes` are what its digits may be.
    `of_day` is the past day it is of, null when it is of the day it was made. `old` are the claims
    of a valuation whose price is not the newest.
    """

    language: Language
    at: datetime
    writer: Text
    reviewer: Text
    score: Claim | None
    judged: str | None
    stance: Text
    coverage: Claim
    reason: str
    retold: str
    made: tuple[Made, ...]
    labels: tuple[str, ...]
    quotes: tuple[str, ...]
    factors: tuple[FactorLine, ...]
    parts: tuple[PartLine, ...]
    checks: tuple[Text, ...]
    missing: tuple[Text, ...]
    of_day: date | None = None
    old: frozenset[str] = frozenset()
    rounds: tuple[RoundLine, ...]
    factor_table: Table
    finding_table: Table
    round_table: Table

    def tables(self) -> tuple[Table, ...]:
        """Factors, what Step 1 found, rounds."""
        return (self.factor_table, self.finding_table, self.round_table)


@dataclass(frozen=True, slots=True, kw_only=True)
class VetoView(View):
    """A score whose every draft was refused: the rounds, what Step 1 had found (which is proved,
    whatever became of the drafts), and no word of any draft. `old`: as of a ScoreView.
    """

    rounds: tuple[RoundLine, ...]
    round_table: Table
    old: frozenset[str] = frozenset()
    parts: tuple[PartLine, ...] = ()
    labels: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    finding_table: Table | None = None

    def tables(self) -> tuple[Table, ...]:
        """The rounds, then what was found."""
        found = self.finding_table
        return (self.round_table, *([found] if found is not None and found.rows else []))


@dataclass(frozen=True, slots=True)
class Score:
    """One score, at whatever stage; `view` is null until it ended with a release or a veto."""

    course: JobCourse
    symbol: str
    by_rule: bool
    view: ScoreView | VetoView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePage(View):
    """One company: its score that was asked for or is the newest (null: none yet), and those of
    before with what changed and what the price did afterwards.
    """

    symbol: str
    name: Text
    score: Score | None
    history: Table

    def tables(self) -> tuple[Table, ...]:
        """Those of the score, then the history where there is one."""
        view = self.score.view if self.score else None
        own = view.tables() if view else ()
        return (*own, *([self.history] if self.history.rows else []))


class RoleLine(NamedTuple):
    """Who plays one of the two agents: a model by its name, null for the rules; `key` is the
    setting that would give it a model.
    """

    role: Literal["score", "review"]
    model: str | None
    key: str


class BatchProgress(NamedTuple):
    """How far a batch is: how many ended, how many of them with a score, of how many."""

    ended: int
    released: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchView(View):
    """A batch of scores: how it stands and one row a company, those with a score first.

    `direct` are the claims of `claims` that the figures shown are made of at once.
    """

    course: JobCourse
    progress: BatchProgress
    table: Table
    direct: frozenset[str] = frozenset()

    def tables(self) -> tuple[Table, ...]:
        """The one table."""
        return (self.table,)


class BatchMembers(NamedTuple):
    """Whom a batch is of: names as typed, an industry of a market, or a saved screen."""

    kind: Literal["list", "industry", "screen"]
    text: str
    market: str = "CN"


@dataclass(frozen=True, slots=True)
class ListedBatch:
    """A batch in a list; `whom` says how many companies, and the first of them by name."""

    job_id: str
    status: Status
    whom: Text
    started_at: datetime


@dataclass(frozen=True, slots=True)
class ListedScore:
    """A company that was scored lately, with its newest score's day and how it ended."""

    job_id: str
    symbol: str
    name: Text
    status: Status
    started_at: datetime
