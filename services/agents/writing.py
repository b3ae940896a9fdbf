"""A model's report: offer what is true, let it choose in two rounds at most, tell what it chose.

The loop is the guarantee: nothing leaves it unproved, and there is no third try.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from services.agents.action_json import ActionJSONRuntime
from services.agents.choice import Choice, Reader, is_own
from services.agents.composing import compose_chosen
from services.agents.composing_stock import StockReport
from services.agents.conversation import Assignment, RuntimeFailedError
from services.agents.drafting import UnreadableDraftError
from services.agents.model import ChatModel
from services.agents.offer import NamedCandidate, Offer
from services.agents.openai_tools import OpenAIToolRuntime
from services.agents.options import AgentOptions
from services.agents.results import AnalysisInput, RuntimeDraft, RuntimeName
from services.agents.runtime import AnalysisWriter
from services.agents.toolkit import CallResult, Toolkit
from services.core.text import Text
from services.jobs.steps import Step, StepWatcher
from services.market.names.names import Names

ROUNDS = 2
RUNTIMES: Mapping[RuntimeName, Callable[[ChatModel, Assignment], AnalysisWriter]] = {
    "openai_tools": OpenAIToolRuntime,
    "action_json": ActionJSONRuntime,
}
_NOTHING_TO_CHOOSE = Text("没有可供挑选的陈述", "there is nothing to choose from")
_NO_CHOICE = Text("模型的回答两次都不能用", "neither answer of the model can be used")


@dataclass(frozen=True, slots=True)
class Engine:
    """Who chooses: the model (None: the rules), by which runtime, within how long in seconds.

    `grammar`: the field in which its endpoint takes a grammar; empty where it takes none.
    """

    model: ChatModel | None
    runtime: RuntimeName
    deadline_s: float
    grammar: str = ""


@dataclass(frozen=True, slots=True)
class WritingDesk:
    """What a model's report is written with."""

    engine: Engine
    options: AgentOptions
    names: Names


def write_chosen(
    desk: WritingDesk,
    toolkit: Toolkit,
    asked: AnalysisInput,
    gathered: tuple[CallResult, ...],
    watch: StepWatcher,
) -> RuntimeDraft:
    """What the model chose of what is true of the company, told as the rules' choice is.

    Raises: RuntimeFailedError, ProviderError, CancelledError.
    """
    engine, options, symbol = desk.engine, desk.options, asked.symbol or ""
    if engine.model is None:
        raise RuntimeFailedError(_NOTHING_TO_CHOOSE)
    known = StockReport(asked, gathered, toolkit.ledger)
    offer = Offer(asked.language, asked.as_of.year, known.found, known.tried, views=options.views)
    if not offer.named:
        raise RuntimeFailedError(_NOTHING_TO_CHOOSE)

    def renew() -> tuple[NamedCandidate, ...]:
        report = StockReport(asked, gathered, toolkit.ledger)
        return offer.renew(report.found, report.tried)

    work = Assignment(
        asked=asked,
        gathered=gathered,
        toolkit=toolkit,
        watch=watch,
        max_rounds=options.max_tool_iterations,
        deadline_s=engine.deadline_s,
        offer=offer,
        renew=renew,
        grammar=engine.grammar,
    )
    writer, mentioned = RUNTIMES[engine.runtime](engine.model, work), desk.names.find_mentioned
    choice = chosen(writer, lambda answer: Reader(offer, mentioned, symbol).read(answer), watch)
    by = (engine.runtime, engine.model.name)
    return compose_chosen(asked, gathered, toolkit.ledger, choice, by, own=is_own(choice, offer))


def chosen(
    writer: AnalysisWriter, read: Callable[[JsonValue], Choice], watch: StepWatcher
) -> Choice:
    """What the model chose; of two answers the one of which more holds.

    Raises: RuntimeFailedError where nothing holds; as the writer does.
    """
    best: Choice | None = None
    last: Choice | None = None
    unreadable = ""
    for round_ in range(1, ROUNDS + 1):
        try:
            last = read(writer.answer(last.dropped if last else (), unreadable))
        except UnreadableDraftError as error:
            last, unreadable = None, error.reason
            watch.step(_unread(round_))
            continue
        unreadable = ""
        watch.step(_tell_check(round_, last))
        if best is None or last.size >= best.size:
            best = last
        if last.size and not last.dropped:
            break
    if best is None or not best.size:
        raise RuntimeFailedError(_NO_CHOICE)
    return best


def _unread(round_: int) -> Step:
    title = Text("回答的格式无法使用", "the answer could not be read")
    return Step(kind="checked", title=title, round=round_, error="UnreadableDraftError")


def _tell_check(round_: int, found: Choice) -> Step:
    """What the check of that round found, each reason by itself."""
    if not found.dropped:
        title = Text("每条陈述都已核对", "every statement checked")
        return Step(kind="checked", title=title, round=round_)
    return Step(
        kind="checked",
        title=Text("有几项不成立", "some items do not hold"),
        round=round_,
        error="NotVerifiedError",
        detail=tuple(dict.fromkeys(one.why for one in found.dropped)),
    )
