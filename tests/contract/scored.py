"""Both agents of a score as scripted models, and a search of all that is kept and logged."""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Double, select

from services.core.errors import YoujuError
from services.core.model_calls import ModelCall
from services.jobs.steps import Step as Told
from services.scoring import workflow
from services.scoring.exchange import ScoreVetoedError
from services.scoring.models import Round
from services.scoring.workflow import Approval, Manner, ScoringWorkflow
from services.settings import Settings
from services.store import tables
from services.store.database import Database
from services.store.documents import unpack
from tests.fakes.models import Asked, ModelServer, Step, refuse
from tests.unit.scoring_workflow.given import given

SCORE_KEY, REVIEW_KEY = "sk-hush-score-0123456789", "sk-hush-review-0123456789"
_RECORDS = (
    *(tables.RUNS, tables.TOOL_CALLS, tables.JOBS, tables.JOB_EVENTS, tables.JOB_RESULTS),
    *(tables.MODEL_CALLS, tables.SESSIONS, tables.TURNS, tables.ANSWERS, tables.SCREENS),
)


@dataclass(frozen=True)
class Played:
    """What came of one run of the workflow, and how often each agent was asked."""

    approval: Approval | None
    error: Exception | None
    steps: Sequence[Told]
    model_calls: Sequence[ModelCall]
    score_calls: int
    review_calls: int

    @property
    def released(self) -> Approval:
        assert self.approval is not None, self.error
        return self.approval

    @property
    def rounds(self) -> Sequence[Round]:
        """Those of a veto, too."""
        if isinstance(self.error, ScoreVetoedError):
            return self.error.rounds
        return self.released.rounds


class Following:
    """A Watch that keeps the steps and can be told to stop."""

    def __init__(self) -> None:
        self.steps: list[Told] = []
        self.stop = threading.Event()

    def step(self, step: Told) -> None:
        self.steps.append(step)

    def cancelled(self) -> bool:
        return self.stop.is_set()


class Agent:
    """A model by script."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self.unexpected = 0
        self.server = ModelServer(self._next)

    @property
    def asked(self) -> list[Asked]:
        return self.server.asked

    def then(self, steps: Sequence[Step]) -> None:
        self._steps += steps

    def check(self) -> None:
        """Raises: AssertionError for steps left over and requests that were not expected."""
        left, self._steps = self._steps, []
        unexpected, self.unexpected = self.unexpected, 0
        assert (left, unexpected) == ([], 0)

    def _next(self, _: Asked) -> Step:
        if not self._steps:
            self.unexpected += 1
            return refuse(410)
        return self._steps.pop(0)


@dataclass(frozen=True)
class Stage:
    """Both agents, and the settings that point at them."""

    scorer: Agent
    reviewer: Agent
    settings: Settings

    def play(
        self,
        drafts: Sequence[Step],
        reviews: Sequence[Step] = (),
        *,
        stop_when: Callable[[], bool] | None = None,
        manner: Manner | None = None,
    ) -> Played:
        """The bank's facts by that script, to the end. Fails when a step is left over."""
        before = len(self.scorer.asked), len(self.reviewer.asked)
        self.scorer.then(drafts)
        self.reviewer.then(reviews)
        watch, calls = Following(), list[ModelCall]()
        approval, error = None, None
        with _stopping(watch, stop_when):
            try:
                approval = ScoringWorkflow(settings=self.settings, manner=manner).approve(
                    given().step1, given().card, following=workflow.Following(watch, calls.append)
                )
            except YoujuError as raised:
                error = raised
        self.scorer.check()
        self.reviewer.check()
        return Played(
            approval,
            error,
            watch.steps,
            calls,
            len(self.scorer.asked) - before[0],
            len(self.reviewer.asked) - before[1],
        )


@contextmanager
def _stopping(watch: Following, when: Callable[[], bool] | None) -> Iterator[None]:
    """Ask to stop once that is so."""
    if when is None:
        yield
        return

    def stop() -> None:
        until(when)
        watch.stop.set()

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        yield
    finally:
        thread.join()


@contextmanager
def stage(**more: Any) -> Iterator[Stage]:
    """Two servers, one an agent."""
    scorer, reviewer = Agent(), Agent()
    with scorer.server, reviewer.server:
        settings = Settings(
            store=":memory:",
            secrets={"DASHSCOPE_API_KEY": SCORE_KEY, "DEEPSEEK_API_KEY": REVIEW_KEY},
            dashscope_base_url=scorer.server.url,
            deepseek_base_url=reviewer.server.url,
            **{"llm_deadline_s": 8.0, **more},
        )
        yield Stage(scorer, reviewer, settings)


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something to be so. Fails when it is not in time."""
    never = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if holds():
            return
        never.wait(0.02)
    raise AssertionError("it never came to pass")


def kept_texts(database: Database) -> str:
    """Everything the store has in its records but how long it took, as one text."""
    found: list[str] = []
    for table in _RECORDS:
        told = [column for column in table.c if not isinstance(column.type, Double)]
        with database.open_reading() as connection:
            found += [_text(value) for row in connection.execute(select(*told)) for value in row]
    return "\n".join(found)


def _text(value: object) -> str:
    """A value as it could be read; JSON without its escapes, packed documents unpacked."""
    if isinstance(value, bytes):
        return unpack(value).decode()
    text = str(value)
    if "\\u" in text:
        return text + json.dumps(json.loads(text), ensure_ascii=False)
    return text


def everything_logged(records: Sequence[logging.LogRecord]) -> str:
    """All log lines, traces included."""
    lines = logging.Formatter("%(name)s %(message)s")
    return "\n".join(lines.format(record) for record in records)
