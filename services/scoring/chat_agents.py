"""The two agents of a score as participants of a Magentic workflow: by a model, or by rule.

A participant answers its last request and nothing else: what its peers said reaches it only as far
as the request tells. An answer that is not whole is none, and says so instead of its text.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic
from typing import Any, Protocol
from uuid import uuid4

import openai
from pydantic import JsonValue

from services.agents.model_failure_words import why_no_answer
from services.agents.model_failures import RequestSubject, cut, failure, failures, unfinished
from services.agents.prices import Prices
from services.core.clock import Clock
from services.core.errors import ProviderError, UnavailableError, UnfinishedError
from services.core.model_calls import ModelCall
from services.core.text import Language, Text
from services.jobs.steps import Step, StepWatcher
from services.scoring.dialects import MOST_WAYS, Ways
from services.scoring.endpoints import RoleModel
from services.scoring.exchange import PURPOSES, AgentRequest, Drafted, Reviewed, Role, Unreadable
from services.scoring.framework import (
    Agent,
    AgentFrameworkException,
    AgentResponse,
    AgentSession,
    Message,
    OpenAIChatCompletionClient,
    OpenAIChatCompletionOptions,
)
from services.scoring.models import ReviewResult, Saying, ScoreDraft
from services.scoring.reading import ScorerAnswer, UnreadableError, read_choice, read_review

MAX_TOKENS = 4_000
TEMPERATURE = 0.1
_LONGEST_ANSWER = 40_000
_PROGRESS_EVERY_S = 0.5
# Options the framework has its own names for.
_NAMED = ("response_format", "temperature")
_TITLES: Mapping[Role, Text] = {
    "ScoreAgent": Text("评分员写稿", "the scorer writes"),
    "ReviewAgent": Text("质检员审核", "the reviewer reads"),
    "NewsAgent": Text("挑选消息", "news are chosen"),
    "SectorAgent": Text("挑选行业要点", "findings of the industry are chosen"),
    "CheckerAgent": Text("挑选核对要点", "notes of the checker are chosen"),
}


class _Answer(Protocol):
    def model_dump_json(self) -> str: ...


class Participant:
    """What the framework wants of an agent, around one function that answers an `AgentRequest`."""

    def __init__(self, role: Role, answer: Callable[[AgentRequest], Awaitable[_Answer]]) -> None:
        """`answer` may raise our errors: they end the run as they are."""
        self.id: str = role
        self.name: str | None = role
        self.description: str | None = role
        self.answer = answer

    async def run(
        self,
        messages: Any = None,
        *,
        stream: bool = False,
        session: AgentSession | None = None,
        **_: Any,
    ) -> AgentResponse[Any]:
        """The answer to the last message, as JSON."""
        asked = AgentRequest.model_validate_json(messages[-1].text)
        answer = await self.answer(asked)
        message = Message(
            role="assistant", contents=[answer.model_dump_json()], author_name=self.name
        )
        return AgentResponse(messages=[message], response_id=uuid4().hex)

    def create_session(self, *, session_id: str | None = None) -> AgentSession:
        """A session that nothing is kept in."""
        return AgentSession(session_id=session_id)

    def get_session(
        self, service_session_id: Any, *, session_id: str | None = None
    ) -> AgentSession:
        """As `create_session`."""
        return AgentSession(session_id=session_id)


@dataclass(frozen=True, slots=True)
class AgentSurroundings:
    """What a model's agent needs beside its model. `record` keeps each call in the trace.

    `deadline_s` bounds one answer with all its tries. `ways` is how endpoints like to be asked,
    `whole` the roles whose endpoint sends an answer in one piece though pieces are asked for.
    """

    watch: StepWatcher
    clock: Clock
    prices: Prices
    record: Callable[[ModelCall], None]
    deadline_s: float
    ways: Ways
    whole: set[Role] = field(default_factory=set[Role])

    def came_whole(self, model: RoleModel) -> bool:
        """Whether the role's last answer came in one piece."""
        return model.role in self.whole


@dataclass(slots=True)
class _Heard:
    """An answer as far as it has come."""

    text: str = ""
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether not a word and no end came."""
        return not self.text and self.finish is None

    def ended(self, whole: AgentResponse[Any]) -> None:
        """How the answer ended, and what it took."""
        usage = whole.usage_details or {}
        self.finish = whole.finish_reason
        self.prompt_tokens = usage.get("input_token_count")
        self.completion_tokens = usage.get("output_token_count")


class ModelTalk:
    """One role's model behind the framework's chat client."""

    def __init__(
        self,
        model: RoleModel,
        client: openai.AsyncOpenAI,
        instructions: str,
        around: AgentSurroundings,
    ) -> None:
        """`instructions` is the system prompt, its places filled."""
        self.model = model
        self._client = client
        self._instructions = instructions
        self._around = around
        self._asked = RequestSubject(
            f"{model.role} {model.host} {model.model}", PURPOSES[model.role], model.variables
        )

    def _agent(self, body: Mapping[str, JsonValue]) -> Agent[Any]:
        """The framework's agent with these options."""
        # In the body as it is: the framework would rename it to what only OpenAI knows.
        extra = {name: value for name, value in body.items() if name not in _NAMED}
        if self.model.search:
            extra["enable_search"] = True
        options: dict[str, Any] = {name: body[name] for name in _NAMED if name in body}
        options["extra_body"] = extra
        return Agent(
            OpenAIChatCompletionClient(model=self.model.model, async_client=self._client),
            self._instructions,
            name=self.model.role,
            default_options=OpenAIChatCompletionOptions(**options),
        )

    async def ask(self, text: str, round_: int) -> str:
        """The whole answer.

        Raises: UnfinishedError when it is not whole; UnavailableError, RateLimitError,
        DeniedError, ChangedError, each naming the role.
        """
        around, began, started_at = self._around, monotonic(), self._around.clock.now()
        around.watch.step(self._step("model_started", round_))
        heard, error = _Heard(), None
        try:
            async with asyncio.timeout(around.deadline_s):
                await self._listen(text, round_, heard)
            return self._whole(heard)
        except (ProviderError, TimeoutError, AgentFrameworkException) as caught:
            error = self._name_error(caught, heard)
            raise error from None
        finally:
            call = self._call(text, heard, error, monotonic() - began, started_at)
            around.record(call)
            around.watch.step(self._step("model_ended", round_, call))

    async def _listen(self, text: str, round_: int, heard: _Heard) -> None:
        """Ask; where the endpoint does not take how it is asked, ask the same in another way."""
        ways = self._around.ways
        way = ways.of(self.model)
        for _ in range(MOST_WAYS):
            body = way.body(temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
            agent = self._agent(body)
            try:
                if way.streams:
                    await self._in_pieces(agent, text, round_, heard)
                else:
                    await self._at_once(agent, text, heard)
            except AgentFrameworkException as error:
                cause = error.__cause__
                other = way.after(cause, body) if isinstance(cause, Exception) else None
                if other is None:
                    raise
                way = other
                continue
            if way.streams and heard.is_nothing and self._around.came_whole(self.model):
                way = way.whole()
                continue
            ways.took(self.model, way, body)
            return
        raise self._asked.changed("refuses every way of asking known here (HTTP 400)")

    async def _at_once(self, agent: Agent[Any], text: str, heard: _Heard) -> None:
        whole = await agent.run(text)
        heard.text = whole.text[: _LONGEST_ANSWER + 1]
        heard.ended(whole)
        if len(heard.text) > _LONGEST_ANSWER:
            heard.finish = "length"

    async def _in_pieces(self, agent: Agent[Any], text: str, round_: int, heard: _Heard) -> None:
        last, pieces = monotonic(), 0
        answer = agent.run(text, stream=True)
        async for update in answer:
            heard.text += update.text
            pieces += 1
            if len(heard.text) > _LONGEST_ANSWER:
                heard.finish = "length"
                return
            if monotonic() - last >= _PROGRESS_EVERY_S:
                last = monotonic()
                self._around.watch.step(self._step("model_progress", round_, tokens=pieces))
        heard.ended(await answer.get_final_response())

    def _whole(self, heard: _Heard) -> str:
        if heard.finish == "stop":
            return heard.text
        if heard.finish is None and not heard.text:
            raise self._asked.unavailable("closed the answer before it said anything")
        raise cut(self._asked) if heard.finish is None else unfinished(self._asked, heard.finish)

    def _name_error(self, error: Exception, heard: _Heard) -> ProviderError:
        """What went wrong, in our words and with the settings of this role."""
        if isinstance(error, ProviderError):
            return error
        cause = error.__cause__ if isinstance(error, AgentFrameworkException) else error
        if not isinstance(cause, failures()):
            return self._asked.changed("the answer is no chat completion")
        found = failure(cause, self._asked)
        timed_out = isinstance(cause, TimeoutError | openai.APITimeoutError)
        if isinstance(found, UnavailableError) and heard.text and not timed_out:
            return cut(self._asked)
        return found

    def _step(
        self,
        kind: Any,
        round_: int,
        call: ModelCall | None = None,
        *,
        tokens: int | None = None,
    ) -> Step:
        return Step(
            kind=kind,
            title=_TITLES[self.model.role],
            tool=self.model.role,
            round=round_,
            seconds=call.seconds if call else None,
            tokens=call.completion_tokens if call else tokens,
            error=call.error if call else None,
        )

    def _call(
        self, text: str, heard: _Heard, error: ProviderError | None, took: float, began: Any
    ) -> ModelCall:
        prompt, completion = heard.prompt_tokens, heard.completion_tokens
        cost = self._around.prices.cost(self.model.model, prompt, completion)
        said = json.dumps([self._instructions, text], ensure_ascii=False)
        return ModelCall(
            model=self.model.model,
            endpoint=self.model.host,
            purpose=PURPOSES[self.model.role],
            prompt_sha256=sha256(said.encode()).hexdigest(),
            started_at=began,
            seconds=round(took, 3),
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost=cost.amount if cost else None,
            currency=cost.currency if cost else None,
            finish_reason=heard.finish,
            error=type(error).__name__ if error else None,
            attempts=1,
        )


def score_agent(
    talk: ModelTalk, known: Sequence[Saying], drafted: Callable[[ScorerAnswer], ScoreDraft]
) -> Participant:
    """The ScoreAgent by a model; `known` is what it may choose, `drafted` writes the reason."""

    async def answer(asked: AgentRequest) -> Drafted:
        began, name = monotonic(), talk.model.model
        draft, unreadable, problem = None, None, None
        try:
            text = await talk.ask(asked.text, asked.round)
            draft = drafted(read_choice(text, known))
        except UnfinishedError as error:
            unreadable, problem = _kind(error), str(why_no_answer(error))
        except UnreadableError as error:
            unreadable, problem = "shape", error.reason
        return Drafted(
            draft=draft,
            unreadable=unreadable,
            problem=problem,
            seconds=_since(began),
            engine="model",
            model=name,
        )

    return Participant("ScoreAgent", answer)


def review_agent(talk: ModelTalk, known: Sequence[Saying], language: Language) -> Participant:
    """The ReviewAgent by a model; a refusal names what of `known` it is about."""

    async def answer(asked: AgentRequest) -> Reviewed:
        began, name, draft = monotonic(), talk.model.model, _require_draft(asked)
        result, unreadable, problem = None, None, None
        try:
            text = await talk.ask(asked.text, asked.round)
            result = read_review(text, draft, known, language)
        except UnfinishedError as error:
            unreadable, problem = _kind(error), str(why_no_answer(error))
        except UnreadableError as error:
            unreadable, problem = "shape", error.reason
        return Reviewed(
            draft_digest=draft.digest,
            result=result,
            unreadable=unreadable,
            problem=problem,
            seconds=_since(began),
            engine="model",
            model=name,
        )

    return Participant("ReviewAgent", answer)


def rule_score_agent(
    score: Callable[[AgentRequest], ScoreDraft], watch: StepWatcher
) -> Participant:
    """The ScoreAgent by rule."""

    async def answer(asked: AgentRequest) -> Drafted:
        watch.step(_rule_step("ScoreAgent", asked.round))
        began = monotonic()
        return Drafted(draft=score(asked), seconds=_since(began), engine="rule")

    return Participant("ScoreAgent", answer)


def rule_review_agent(
    review: Callable[[ScoreDraft], ReviewResult], watch: StepWatcher
) -> Participant:
    """The ReviewAgent by rule."""

    async def answer(asked: AgentRequest) -> Reviewed:
        watch.step(_rule_step("ReviewAgent", asked.round))
        began, draft = monotonic(), _require_draft(asked)
        result = review(draft)
        return Reviewed(
            draft_digest=draft.digest, result=result, seconds=_since(began), engine="rule"
        )

    return Participant("ReviewAgent", answer)


def _rule_step(role: Role, round_: int) -> Step:
    name = _TITLES[role]
    title = Text(f"{name.zh}（规则）", f"{name.en} (by rule)")
    return Step(kind="model_started", title=title, tool=role, round=round_)


def _require_draft(asked: AgentRequest) -> ScoreDraft:
    if asked.draft is None:
        raise ValueError("a review was asked for without a draft")
    return asked.draft


def _kind(error: UnfinishedError) -> Unreadable:
    return "length" if error.why == "too_long" else error.why


def _since(began: float) -> float:
    return round(monotonic() - began, 3)
