"""An analysis in its parts over the bundled market: real tools, a real ledger, a watch."""

import threading
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, TypeVar

from pydantic import JsonValue

from services.agents import analysis_request as asking
from services.agents.gathering import plan
from services.agents.options import AgentOptions
from services.agents.results import AgentRunRequest, AnalysisInput
from services.agents.skills import SKILLS, AgentSkillRegistry
from services.agents.tool_answers import Showing
from services.agents.toolkit import CallResult, Toolkit
from services.container import Services, build_services
from services.core.claims import Claim, ToolCite, claim_id
from services.core.clock import BEIJING
from services.core.ledger import Ledger
from services.jobs.steps import Step
from services.settings import load_settings
from services.tools.base import Tool, Workbench
from services.tools.knowledge_base import KnowledgeBase
from services.tools.registry import TOOLS

T = TypeVar("T")
WORD = "w0rd5ofrun"
OPTIONS = AgentOptions()
DAY = date(2017, 7, 26)  # of the bundled clock
ASKED = AnalysisInput(
    question="",
    skill_id="stock_analysis",
    mode="stock",
    symbol="600036.SH",
    name="招商银行",
    market="CN",
    language="zh",
    as_of=DAY,
    price_days=365,
    filing_periods=4,
    news_days=30,
)


@cache
def services() -> Services:
    """The bundled market, opened once a process."""
    return build_services(load_settings({"YOUJU_STORE": ":memory:"}))


def bench(known: Services | None = None) -> Workbench:
    """What tools work with."""
    known = known or services()
    return Workbench(
        known.names,
        known.calendar,
        known.clock,
        known.settings,
        KnowledgeBase(known.settings.knowledge),
    )


class Noted:
    """A watch that keeps every step; `stop` is the reader's wish."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.stop = threading.Event()
        self._lock = threading.Lock()

    def step(self, step: Step) -> None:
        with self._lock:
            self.steps.append(step)

    def cancelled(self) -> bool:
        return self.stop.is_set()

    @property
    def kinds(self) -> list[str]:
        return [one.kind for one in self.steps]


def on_ledger(work: Callable[[Ledger], T]) -> T:
    """The work done within a real run."""
    return services().runner.run("analysis", {}, work, session_id="s_test").output


def with_toolkit(
    work: Callable[[Toolkit], T],
    *,
    tools: Mapping[str, Tool] = TOOLS,
    watch: Noted | None = None,
    limits: Mapping[str, Mapping[str, JsonValue]] | None = None,
    patience_s: float = 5.0,
    bench_: Workbench | None = None,
) -> T:
    """The work done with the tools of one analysis."""
    return on_ledger(
        lambda ledger: work(
            Toolkit(
                tools,
                bench_ or bench(),
                ledger,
                Showing(WORD, "zh"),
                watch or Noted(),
                limits=limits or {},
                patience_s=patience_s,
            )
        )
    )


def gathered(request: AgentRunRequest, work: Callable[[AnalysisInput, Toolkit, Any], T]) -> T:
    """The plan of an analysis carried out, and then `work`."""
    asked = understood(request)
    skill = SKILLS[asked.skill_id]

    def whole(toolkit: Toolkit) -> T:
        told: tuple[CallResult, ...] = toolkit.call_all(plan(asked, skill, OPTIONS), "plan")
        return work(asked, toolkit, told)

    return with_toolkit(whole, tools={name: TOOLS[name] for name in skill.tools})


def understood(request: AgentRunRequest, options: AgentOptions = OPTIONS) -> AnalysisInput:
    """The request as it is understood on the bundled day."""
    skill = AgentSkillRegistry(options.default_skill).find(request.skill_id, request.mode)
    known = services()
    return asking.understood(request, skill, options, known.names, known.clock)


def claim(
    metric: str,
    value: float,
    unit: str,
    *,
    symbol: str = "600036.SH",
    as_of: date = DAY,
    period: str | None = None,
    call: str = "tc_000000000001",
    source: str = "one",
    note: str | None = None,
) -> Claim:
    """A claim as a source would give it."""
    return Claim(
        claim_id=claim_id(call, symbol, metric, as_of, period, value),
        value=value,
        metric=metric,
        symbol=symbol,
        as_of=as_of,
        unit=unit,
        period=period,
        cite=ToolCite(
            source=source,
            table="t",
            fetched_at=datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING),
            tool_call_id=call,
            served_by=source,
            field=metric,
            raw=str(value),
            note=note,
        ),
    )
