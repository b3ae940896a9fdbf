"""The scores on a store of a test, at any instant of the bundled market."""

from dataclasses import dataclass
from datetime import datetime

from services.jobs.runner import JobRunner
from services.market.calendar import Calendar
from services.scoring.batches import ScoreBatches
from services.scoring.facts import AnalysisDesk
from services.scoring.scorer import Scorer
from services.scoring.service import ScoreService
from services.scoring.workflow import ScoringWorkflow
from services.settings import Settings
from services.store.database import Database
from services.store.jobs import Jobs
from services.store.runs import Runs
from services.tools.running import Runner
from tests.unit.market.bundled import bundle, names
from tests.waiting import job_ended


@dataclass(frozen=True)
class Bench:
    """Scores of one process."""

    scores: ScoreService
    batches: ScoreBatches
    jobs: JobRunner
    stored: Jobs

    def scored(self, symbol: str, *, by_rule: bool = False) -> str:
        """The job of a score that has ended."""
        job_id = self.scores.start(symbol, "me", by_rule=by_rule)
        return job_ended(job_id)


def bench(
    database: Database, *, now: datetime | None = None, settings: Settings | None = None
) -> Bench:
    """A process's services over that database, with the clock at `now`."""
    market = bundle(now)
    runs, stored = Runs(database), Jobs(database)
    jobs = JobRunner(stored)
    desk = AnalysisDesk(names(), Calendar(), market.clock)
    workflow = ScoringWorkflow(settings=settings or Settings(), clock=market.clock)
    scorer = Scorer(Runner(market.chain, runs, market.clock), desk, workflow, 8.0)
    scores = ScoreService(scorer, jobs, runs, stored)
    return Bench(scores, ScoreBatches(scorer, scores, jobs, stored), jobs, stored)
