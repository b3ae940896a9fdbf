"""One talk with a model about one analysis: what was said, how long is left, what it has cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from services.agents import prompts
from services.agents.model import AnswerForm, ChatModel, Message, Reply, ToolSpec
from services.agents.offer import NamedCandidate, Offer
from services.agents.results import AnalysisInput
from services.agents.titles import title_of
from services.agents.toolkit import CallResult, Toolkit
from services.core.errors import ProviderError, UnavailableError, YoujuError
from services.core.text import Text
from services.jobs.runner import CancelledError
from services.jobs.steps import Step, StepWatcher

_PROGRESS_EVERY_S = 0.5


class RuntimeFailedError(YoujuError):
    """The runtime brought no draft; `why` is fit for a reader."""

    def __init__(self, why: Text) -> None:
        super().__init__(str(why))
        self.why = why


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is to be written, from what, with which tools, and within how long.

    `renew` offers what is known by now and says what is new. `grammar`: the field in which the
    endpoint takes a grammar; empty where it takes none.
    """

    asked: AnalysisInput
    gathered: tuple[CallResult, ...]
    toolkit: Toolkit
    watch: StepWatcher
    max_rounds: int
    deadline_s: float
    offer: Offer
    renew: Callable[[], tuple[NamedCandidate, ...]]
    grammar: str = ""

    @property
    def final(self) -> AnswerForm:
        """How the final answer is wanted: by schema; by grammar where the endpoint takes one."""
        if self.grammar:
            return AnswerForm(temperature=0.2, extra={self.grammar: self.offer.grammar})
        return AnswerForm(temperature=0.2, json=self.offer.schema)

    def more(self) -> str:
        """The statements that the last tools made possible, as the model is told them."""
        if not (new := self.renew()):
            return ""
        told = "\n".join(self.offer.sentences(new))
        return prompts.MORE.in_language(self.asked.language).replace("{offered}", told)


@dataclass(slots=True)
class Conversation:
    """The messages so far; belongs to one thread."""

    model: ChatModel
    work: Assignment
    messages: list[Message]
    tokens: int = 0
    ends_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.ends_at = monotonic() + self.work.deadline_s

    def say(self, content: str) -> None:
        """Add something of ours."""
        self.messages.append(Message(role="user", content=content))

    def reply(self, round_: int, *, tools: Sequence[ToolSpec] = (), wanted: AnswerForm) -> Reply:
        """The model's next answer, kept among the messages and in the trace.

        Raises: ProviderError, CancelledError.
        """
        watch, ledger = self.work.watch, self.work.toolkit.ledger
        if watch.cancelled():
            raise CancelledError("cancelled")
        left = self.ends_at - monotonic()
        if left <= 0:
            raise UnavailableError(
                self.model.name, "chat", f"no answer within {self.work.deadline_s:g} s"
            )
        watch.step(Step(kind="model_started", title=Text.of(self.model.name), round=round_))
        try:
            found = self.model.complete(
                self.messages,
                tools=tools,
                wanted=wanted,
                purpose="draft",
                deadline_s=left,
                on_delta=_Progress(watch, round_, self.tokens),
                cancelled=watch.cancelled,
            )
        except ProviderError as error:
            if error.model_call is not None:
                ledger.record_model(error.model_call)
            raise
        ledger.record_model(found.call)
        self.messages.append(found.message)
        self.tokens += found.call.completion_tokens or 0
        watch.step(
            Step(
                kind="model_ended",
                title=Text.of(self.model.name),
                round=round_,
                seconds=round(found.call.seconds, 3),
                tokens=self.tokens or None,
            )
        )
        return found


class _Progress:
    """Tells how far a model is, not at every word."""

    def __init__(self, watch: StepWatcher, round_: int, before: int) -> None:
        self._watch = watch
        self._round = round_
        self._pieces = before
        self._last = monotonic()

    def __call__(self, _piece: str) -> None:
        self._pieces += 1
        if monotonic() - self._last >= _PROGRESS_EVERY_S:
            self._last = monotonic()
            self._watch.step(
                Step(
                    kind="model_progress",
                    title=Text("正在写", "writing"),
                    round=self._round,
                    tokens=self._pieces,
                )
            )


def opening(work: Assignment, rules: str) -> list[Message]:
    """The first two messages: who the model is, and from what it has to choose."""
    asked, language = work.asked, work.asked.language
    system = [prompts.ROLE, *([Text.of(rules)] if rules else []), prompts.FINAL]
    system += [prompts.VIEW] if work.offer.views else []
    about = f"{asked.name or ''} {asked.symbol or ''}".strip()
    lacking = [title_of(one.name).in_language(language) for one in work.gathered if one.error]
    task = prompts.TASK.in_language(language).format(
        about=about,
        today=asked.as_of.isoformat(),
        prices=asked.price_days,
        news=asked.news_days,
        question=asked.question or prompts.NO_QUESTION.in_language(language),
        lacking="、".join(lacking) or prompts.NOTHING.in_language(language),
        offered=work.offer.lines(),
    )
    head = "\n\n".join(one.in_language(language) for one in system)
    return [Message(role="system", content=head), Message(role="user", content=task)]
