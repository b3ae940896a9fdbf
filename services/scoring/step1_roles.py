"""Step 1's roles by a model (seed 003): what of all that code found matters. It chooses only.

Three roles side by side, each only where a model is named for it: news (which titles, each with a
label of a closed list), sector and checker (which findings and notes come first). What nobody chose
stays behind; a role that brings no usable answer is left as the rules have it, and that is noted.
"""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple, TypeVar, cast

from pydantic import JsonValue

from services.agents.drafting import UnreadableDraftError, read_object
from services.agents.model_failure_words import why_no_answer
from services.core.errors import ProviderError
from services.core.record import Record
from services.core.text import Text
from services.scoring import prompts
from services.scoring.chat_agents import AgentSurroundings, ModelTalk, Participant
from services.scoring.endpoints import RoleModel, client_of
from services.scoring.exchange import CHECKER_AGENT, NEWS_AGENT, SECTOR_AGENT, AgentRequest, Role
from services.scoring.framework import ConcurrentBuilder, SupportsAgentRun
from services.scoring.models import Direction, Finding, Headline, Step1Output

T = TypeVar("T")
_MOST = 3  # findings of the news, as many as the rules tell
_MOST_OFFERED = 30
_LABELS: Mapping[str, tuple[Direction, Text]] = {
    "positive": ("positive", Text("利好", "good news")),
    "negative": ("negative", Text("利空", "bad news")),
    "neutral": ("neutral", Text("中性", "neutral")),
}
_CALLED: Mapping[Role, Text] = {
    NEWS_AGENT: Text("消息", "news"),
    SECTOR_AGENT: Text("行业要点", "findings of the industry"),
    CHECKER_AGENT: Text("核对要点", "notes of the checker"),
}
_UNUSABLE = Text("模型的回答不能用", "the model's answer cannot be used")


class _Pick(NamedTuple):
    """An item that was chosen: its place in the list, and its label."""

    at: int
    label: str


class _Picked(Record):
    """What a role answered; `problem` says why it is nothing."""

    chosen: tuple[tuple[int, str], ...] = ()
    problem: Text | None = None

    @property
    def picks(self) -> tuple[_Pick, ...]:
        """The same by name."""
        return tuple(_Pick(at, label) for at, label in self.chosen)


async def choose_facts(
    step1: Step1Output, models: Mapping[Role, RoleModel], around: AgentSurroundings
) -> Step1Output:
    """Step 1 with what the models chose before the rest. Never fails for a model's sake."""
    offered: dict[Role, list[str]] = {
        NEWS_AGENT: [one.title for one in step1.news.headlines],
        SECTOR_AGENT: [one.text for one in step1.sector.findings],
        CHECKER_AGENT: [note.zh for note in step1.checks],
    }
    found: dict[Role, _Picked] = {}
    async with AsyncExitStack() as stack:
        agents: list[Participant] = []
        for role, items in offered.items():
            if len(items) < 2 or role not in models:
                continue
            model = models[role]
            made = client_of(model, around.deadline_s, lambda one=role: around.whole.add(one))
            client = await stack.enter_async_context(made)
            system = prompts.STEP1_ROLE.replace("{stock_code}", step1.stock_code)
            talk = ModelTalk(model, client, system, around)
            agents.append(_agent(role, talk, items[:_MOST_OFFERED], found))
        if agents:
            # The builder wants two at least; a role alone needs nobody beside it.
            task = AgentRequest(text=step1.stock_code, round=1).model_dump_json()
            if len(agents) > 1:
                parts = cast("list[SupportsAgentRun]", agents)
                await ConcurrentBuilder(participants=parts).build().run(task)
            else:
                await agents[0].answer(AgentRequest(text=step1.stock_code, round=1))
    return _take_picks(step1, found)


def _agent(
    role: Role, talk: ModelTalk, items: Sequence[str], found: dict[Role, _Picked]
) -> Participant:
    async def answer(_: AgentRequest) -> _Picked:
        listed = "\n".join(f"n{at} {_one_line(text)}" for at, text in enumerate(items, 1))
        try:
            said = await talk.ask(prompts.STEP1_TASK.replace("{items}", listed), 1)
            picked = _read(said, len(items))
        except ProviderError as error:
            picked = _Picked(problem=why_no_answer(error))
        except UnreadableDraftError:
            picked = _Picked(problem=_UNUSABLE)
        found[role] = picked
        return picked

    return Participant(role, answer)


def _one_line(text: str) -> str:
    """A text from outside on a line of its own, in marks it cannot close."""
    return "「" + " ".join(text.translate({ord(mark): None for mark in "「」{}"}).split()) + "」"


def _read(text: str, count: int) -> _Picked:
    """The ids of an answer that were offered, each once. Raises: UnreadableDraftError."""
    given = read_object(text)
    items: JsonValue = given.get("chosen") if isinstance(given, dict) else None
    if not isinstance(items, list):
        raise UnreadableDraftError("chosen")
    names = {f"n{at}": at - 1 for at in range(1, count + 1)}
    chosen: dict[int, str] = {}
    for item in items[: 2 * count]:
        told = item if isinstance(item, dict) else {"id": item}
        name, label = told.get("id"), told.get("label")
        if isinstance(name, str) and name in names:
            chosen.setdefault(names[name], label if isinstance(label, str) else "")
    if not chosen:
        raise UnreadableDraftError("chosen")
    return _Picked(chosen=tuple(chosen.items()))


def _take_picks(step1: Step1Output, found: Mapping[Role, _Picked]) -> Step1Output:
    update: dict[str, object] = {}
    notes = [
        Text(
            f"{_CALLED[role].zh}按规则排列（{one.problem.zh}）",
            f"{_CALLED[role].en} in the order of the rules ({one.problem.en})",
        )
        for role, one in found.items()
        if one.problem is not None
    ]
    if picks := _picks(found, NEWS_AGENT):
        headlines = step1.news.headlines
        told = [_make_finding(headlines[one.at], one.label) for one in picks][:_MOST]
        update["news"] = step1.news.model_copy(update={"findings": tuple(told)})
    if picks := _picks(found, SECTOR_AGENT):
        ordered = _first([one.at for one in picks], step1.sector.findings)
        update["sector"] = step1.sector.model_copy(update={"findings": tuple(ordered)})
    checks: Sequence[Text] = step1.checks
    if picks := _picks(found, CHECKER_AGENT):
        checks = _first([one.at for one in picks], checks)
    return step1.model_copy(update={**update, "checks": (*checks, *notes)})


def _picks(found: Mapping[Role, _Picked], role: Role) -> tuple[_Pick, ...]:
    return found[role].picks if role in found else ()


def _first(chosen: Sequence[int], items: Sequence[T]) -> list[T]:
    """The chosen ones before the others."""
    rest = [one for at, one in enumerate(items) if at not in chosen]
    return [*(items[at] for at in chosen), *rest]


def _make_finding(one: Headline, label: str) -> Finding:
    """The title as a quotation. A tone the word lists find stays; of a title without one the
    model's label is taken, and said to be one.
    """
    title, tone = _one_line(one.title), one.direction or "neutral"
    day = one.published_at.date() if one.published_at else None
    if tone != "neutral" or label not in _LABELS or label == "neutral":
        return Finding(text=title, text_en=title, direction=tone, as_of=day)
    direction, words = _LABELS[label]
    return Finding(
        text=f"{title}（模型归为{words.zh}）",
        text_en=f"{title} (called {words.en} by the model)",
        direction=direction,
        as_of=day,
    )
