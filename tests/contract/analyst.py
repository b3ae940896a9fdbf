"""An analysis with a scripted model behind it, through the real orchestrator over the bundled data.

What a script sees is what was said to the model: `Seen` reads figures and places out of a request.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from services.agents.gathering import plan
from services.agents.openai_compatible import Endpoint, OpenAICompatible
from services.agents.options import AgentOptions, read_options
from services.agents.orchestrator import AgentOrchestrator, Engine
from services.agents.prices import Price, Prices
from services.agents.results import (
    AgentRunRequest,
    AgentRunResult,
    AnalysisInput,
    Refusal,
    RuntimeDraft,
    VerifiedFailure,
)
from services.agents.service import AgentService
from services.agents.toolkit import CallResult as Called
from services.agents.toolkit import Toolkit
from services.container import Services, SystemClock
from services.core.ledger import Ledger
from services.core.model_calls import ModelCall
from services.core.text import Language
from services.exports.view_files import write_markdown
from services.jobs.steps import Unwatched
from services.tools.registry import TOOLS
from tests.fakes import models
from tests.fakes.models import Asked, ModelServer, Step, as_json
from tests.unit.agents.kit import Noted, bench, services

ROOT = Path(__file__).resolve().parents[2]
Runtime = Literal["openai_tools", "action_json"]
RUNTIMES: tuple[Runtime, ...] = ("openai_tools", "action_json")
# 2 dollars a million tokens read, 8 a million written.
PRICE = Price("scripted", "USD", Decimal(2), Decimal(8), date(2026, 1, 1), "made up")
KEY = "sk-hush-hush-0123456789"
_HEADING = re.compile(r"\[(results|valuation|price|events|watch)\] ")
_STATEMENT = re.compile(r"(s\d+) ([-+·] .*)")
_FIGURE = re.compile(r"k\d+$")
Document = dict[str, Any]
Write = Callable[["Seen"], Document]


class Told(NamedTuple):
    """A place of nobody's figure, as a script may write one."""

    place: str = "{{c:c_0123456789abcdef}}"


@dataclass(frozen=True)
class Seen:
    """What the model was offered in its first task."""

    task: str

    @cached_property
    def sections(self) -> Mapping[str, Mapping[str, str]]:
        """By section the statements by their ids, each with its side before it."""
        found: dict[str, dict[str, str]] = {}
        section = ""
        for line in self.task.splitlines():
            if heading := _HEADING.match(line):
                section = heading[1]
            elif section and (told := _STATEMENT.match(line)):
                found.setdefault(section, {})[told[1]] = told[2]
        return found

    @property
    def ids(self) -> list[str]:
        """Every id, in the order told."""
        return [name for each in self.sections.values() for name in each]

    def value(self, *_: object) -> Told:
        """What a lie puts where a figure would stand."""
        return Told()

    report = bar = at = value

    def saying(self, *words: str) -> str:
        """The first statement with all of these words."""
        told = ((name, text) for each in self.sections.values() for name, text in each.items())
        return next(name for name, text in told if all(word in text for word in words))

    def figure(self, *words: str) -> str:
        """The first figure with all of these words."""
        lines = (line.partition(" ") for line in self.task.splitlines())
        return next(k for k, _, text in lines if _FIGURE.match(k) and all(w in text for w in words))


def seen(asked: Asked) -> Seen:
    """What the conversation was opened with."""
    told = [str(one["content"]) for one in asked.messages]
    return Seen(next(text for text in told if text.startswith(("对象：", "Company:"))))


def picked(seen: Seen, *ids: str, **more: Any) -> Document:
    """An answer of these statements, each under its heading; by default the last two of each."""
    found: Document = {}
    for section, told in seen.sections.items():
        taken = [one for one in ids if one in told] if ids else list(told)[-2:]
        if taken:
            found[section] = taken
    return {**found, **more}


def document(summary: str, *points: str, **more: list[str]) -> Document:
    """An answer in prose, as models write one: it is none."""
    return {"summary": summary, "key_points": list(points) or ["见摘要。"], **more}


def final(runtime: Runtime, answer: Document) -> Step:
    """The final answer as that runtime wants it."""
    if runtime == "openai_tools":
        return as_json(answer)
    return as_json({"protocol": "action_json_v1", "action": "final", "final": answer})


def use(runtime: Runtime, tool: str, **arguments: object) -> Step:
    """A tool asked for as that runtime wants it."""
    if runtime == "openai_tools":
        return models.call(tool, **arguments)
    return as_json(
        {
            "protocol": "action_json_v1",
            "action": "call_tool",
            "tool": tool,
            "arguments": arguments,
        }
    )


class Script:
    """Answers request by request; each is a Step, or what makes a document of what was told."""

    def __init__(self, runtime: Runtime, *answers: Step | Write) -> None:
        self._runtime: Runtime = runtime
        self._answers = list(answers)
        self.first: Seen | None = None
        self.fault: Exception | None = None

    def __call__(self, asked: Asked) -> Step:
        """What the server does; a mistake of a test is kept: here it would look like a cut."""
        try:
            return self._next(asked)
        except Exception as error:
            self.fault = self.fault or error
            raise

    def _next(self, asked: Asked) -> Step:
        assert self._answers, "asked once too often"
        self.first = self.first or seen(asked)
        answer = self._answers.pop(0)
        return answer if isinstance(answer, Step) else final(self._runtime, answer(self.first))

    @property
    def left(self) -> int:
        return len(self._answers)


@dataclass
class Played:
    """How an analysis went: its result, what the model was asked, what the reader followed."""

    result: AgentRunResult | VerifiedFailure
    asked: list[Asked]
    watch: Noted
    script: Script
    known: Services

    @property
    def report(self) -> AgentRunResult:
        assert isinstance(self.result, AgentRunResult), self.result
        return self.result

    @property
    def failure(self) -> VerifiedFailure:
        assert isinstance(self.result, VerifiedFailure), self.result
        return self.result

    def everything(self) -> str:
        """All that is shown, told or kept: the result, every step, and what the store has."""
        run = self.known.runs.load(self.result.run_id)
        kept = [run.trace.model_dump_json(), run.run.model_dump_json()]
        steps = [step.model_dump_json() for step in self.watch.steps]
        return "\n".join([self.result.model_dump_json(), *steps, *kept])


def options(**tools: Mapping[str, object]) -> AgentOptions:
    """The bundled settings with some tools' options changed."""
    bundled = read_options(ROOT / "data" / "agent.yaml")
    changed = {**bundled.tools.model_dump(), **tools}
    return AgentOptions.model_validate({**bundled.model_dump(), "tools": changed})


def _orchestrator(
    known: Services,
    engine: Engine,
    given: AgentOptions | None = None,
) -> AgentOrchestrator:
    return AgentOrchestrator(
        TOOLS, bench(known), known.runner, given or options(), engine, write_markdown
    )


@dataclass
class Rehearsed:
    """What came of the writing alone: the draft that was proved, or the refusals."""

    draft: RuntimeDraft | None
    refusals: tuple[Refusal, ...]
    asked: list[Asked]
    watch: Noted
    script: Script
    model_calls: tuple[ModelCall, ...]

    def everything(self) -> str:
        """All that is told of it."""
        told = [one.model_dump_json() for one in (*self.refusals, *self.watch.steps)]
        return "\n".join(told if self.draft is None else [*told, self.draft.model_dump_json()])


@cache
def gathered(symbol: str, language: Language) -> tuple[AnalysisInput, Toolkit, tuple[Called, ...]]:
    """What the plan brings for one company, looked up once: many talks begin with just this."""
    known = services()
    prepared = _orchestrator(known, Engine(None, "openai_tools", 20.0))
    asked, skill = prepared.understood(AgentRunRequest(symbol=symbol, language=language))

    def gather(ledger: Ledger) -> tuple[Toolkit, tuple[Called, ...]]:
        toolkit = prepared._toolkit(ledger, asked, skill, Unwatched())
        return toolkit, toolkit.call_all(plan(asked, skill, options()), "plan")

    found = known.runner.run("analysis", {}, gather, session_id="s_gathered").output
    return asked, *found


def rehearse(
    runtime: Runtime,
    *answers: Step | Write,
    deadline_s: float = 20.0,
    symbol: str = "600036.SH",
    language: Language = "zh",
) -> Rehearsed:
    """Only the talk with the model and the check of what it wrote, as every analysis has them;
    what is looked up before and stored behind is in `play`.
    """
    asked, toolkit, brought = gathered(symbol, language)
    script, watch = Script(runtime, *answers), Noted()
    with ModelServer(script) as server:
        model = OpenAICompatible(
            Endpoint(server.url, "scripted", KEY), SystemClock(), Prices((PRICE,))
        )
        work = _orchestrator(services(), Engine(model, runtime, deadline_s))
        before = len(toolkit.ledger.trace.model_calls)
        found = work._write(toolkit, asked, brought, watch)
    if script.fault is not None:
        raise script.fault
    assert script.left == 0, f"{script.left} answers were never asked for"
    calls = toolkit.ledger.trace.model_calls[before:]
    return Rehearsed(found.draft, found.refusals, server.asked, watch, script, calls)


def analyst(
    server: ModelServer,
    runtime: Runtime,
    *,
    known: Services | None = None,
    given: AgentOptions | None = None,
    deadline_s: float = 20.0,
    grammar: str = "",
) -> AgentService:
    """Analyses with that server as their model."""
    model = OpenAICompatible(Endpoint(server.url, "scripted", KEY), SystemClock(), Prices((PRICE,)))
    known = known or services()
    orchestrator = _orchestrator(known, Engine(model, runtime, deadline_s, grammar), given)
    return AgentService(orchestrator, known.jobs, known.runs)


def play(
    runtime: Runtime,
    *answers: Step | Write,
    request: AgentRunRequest | None = None,
    known: Services | None = None,
    given: AgentOptions | None = None,
    deadline_s: float = 20.0,
    watch: Noted | None = None,
    grammar: str = "",
) -> Played:
    """One analysis with those answers; every one of them must be asked for, and no more."""
    script, watch = Script(runtime, *answers), watch or Noted()
    with ModelServer(script) as server:
        work = analyst(
            server, runtime, known=known, given=given, deadline_s=deadline_s, grammar=grammar
        )
        found = work.run(request or AgentRunRequest(symbol="600036.SH"), "s_test", watch)
    if script.fault is not None:
        raise script.fault
    assert script.left == 0, f"{script.left} answers were never asked for"
    return Played(found, server.asked, watch, script, known or services())
