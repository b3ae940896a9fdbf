"""The tools of one skill on the ledger of one analysis: called by the plan or by a model.

Whatever goes wrong with a call is told, never raised: a model may mend its arguments, and one dead
source must not lose what the others said. No name a model made up is repeated to a reader.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Literal, cast

from pydantic import JsonValue

from services.agents.model import ToolSpec
from services.agents.results import CalledTool
from services.agents.titles import SERIES_TITLES, title_of
from services.agents.tool_answers import Showing
from services.core.claims import Claim
from services.core.errors import (
    ConfigError,
    InputError,
    NoDataError,
    NotVerifiedError,
    ProviderError,
)
from services.core.ledger import Ledger
from services.core.text import Text
from services.core.verifier import verify
from services.jobs.runner import CancelledError
from services.jobs.steps import Step, StepWatcher
from services.market.outages import Absence, why_missing
from services.providers.retry import errand
from services.tools.base import Tool, ToolContext, ToolOutput, Workbench, find_tool
from services.tools.parallel import side_by_side

AskedBy = Literal["plan", "model"]
_LONGEST_ARGUMENTS = 8_000
_SHOWN_ARGUMENTS = 200
# A plan asks nine at once; what a model asks beyond that it asks in its next round.
_MOST_AT_ONCE = 12
_NO_SUCH_TOOL = "unknown_tool"
_UNPROVED = Text(
    "取得的数字没有通过核对，未采用", "its figures did not pass the checks and are not used"
)
# Names of what can be wrong that are no argument of a tool.
_OUR_NAMES = frozenset({"tool", "arguments", "calls"})


@dataclass(frozen=True, slots=True)
class WantedCall:
    """A call that is wanted; `arguments` as a model wrote them, or as an object."""

    name: str
    arguments: str | Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class CallResult:
    """What came of a call: `text` for the model, the claims in it, `view` for our own code.

    `error` is the class of what went wrong and `why` says it in words.
    """

    name: str
    arguments: Mapping[str, JsonValue]
    text: str
    claims: tuple[Claim, ...] = ()
    view: object = None
    seconds: float = 0.0
    error: str | None = None
    why: Text | None = None


class Toolkit:
    """Calls tools for one analysis. Belongs to the thread of that analysis, as its ledger does."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        bench: Workbench,
        ledger: Ledger,
        showing: Showing,
        watch: StepWatcher,
        *,
        limits: Mapping[str, Mapping[str, JsonValue]],
        patience_s: float,
    ) -> None:
        """`tools` are those allowed. `limits`: tool → argument → the most it may be, and what it is
        when it is not given. `patience_s`: how long the sources of one call may take together.
        `watch` is told from several threads.
        """
        self._tools = tools
        self._bench = bench
        self.ledger = ledger
        self._showing = showing
        self._watch = watch
        self._limits = limits
        self._patience_s = patience_s
        self._known: dict[tuple[str, str], CallResult] = {}
        self.called: list[CalledTool] = []
        self.idle_rounds = 0

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as a model is offered them."""
        return tuple(
            ToolSpec(
                name=tool.name,
                description=tool.description,
                parameters=cast("dict[str, JsonValue]", tool.schema["parameters"]),
            )
            for tool in self._tools.values()
        )

    def call(self, asked: WantedCall, asked_by: AskedBy) -> CallResult:
        """As `call_all`, of one."""
        return self.call_all((asked,), asked_by)[0]

    def call_all(self, wanted: Sequence[WantedCall], asked_by: AskedBy) -> tuple[CallResult, ...]:
        """Do them side by side, or say why not; the answers in order.

        What was asked before is answered from memory with a word about that; a round that asks for
        nothing new counts in `idle_rounds`. Raises: CancelledError.
        """
        if self._watch.cancelled():
            raise CancelledError("cancelled")
        read = [self._read(one) for one in wanted]
        fresh: dict[tuple[str, str], _Call] = {}
        for one in read:
            if one.key not in self._known:
                fresh.setdefault(one.key, one)
        self.idle_rounds += bool(read) and not fresh
        doing = list(fresh.values())[:_MOST_AT_ONCE]
        pieces = [partial(self._work, call) for call in doing]
        made = side_by_side(self.ledger, pieces) if pieces else []
        for call, told in zip(doing, made, strict=True):
            self._known[call.key] = told
            self._note(told, asked_by)
        new = {call.key: told for call, told in zip(doing, made, strict=True)}
        late = InputError("calls", len(wanted), f"up to {_MOST_AT_ONCE} at once; ask again")
        return tuple(
            new.pop(one.key, None)
            or (
                _again(known)
                if (known := self._known.get(one.key))
                else _tell_refusal(one.tool, late)
            )
            for one in read
        )

    def _read(self, asked: WantedCall) -> "_Call":
        """The call with its arguments within what the settings allow, or why there is none."""
        tool = self._tools.get(asked.name)
        raw = (
            asked.arguments
            if isinstance(asked.arguments, str)
            else _write_arguments(asked.arguments)
        )
        try:
            find_tool(self._tools, asked.name)
            arguments = self._limit_arguments(asked.name, _object(asked.arguments))
        except InputError as error:
            return _Call(tool, (asked.name, raw), {}, error)
        return _Call(tool, (asked.name, _write_arguments(arguments)), arguments)

    def _work(self, call: "_Call", ledger: Ledger) -> CallResult:
        """One call on its branch. Raises: CancelledError."""
        if self._watch.cancelled():
            raise CancelledError("cancelled")
        if call.tool is None or call.refused is not None:
            refused = call.refused or InputError("tool", "", "one of the tools offered")
            told = _tell_refusal(call.tool, refused)
        else:
            title = title_of(call.tool.name)
            self._watch.step(Step(kind="tool_started", title=title, tool=call.tool.name))
            told = self._run_tool(call.tool, call.arguments, ledger)
        self._watch.step(
            Step(
                kind="tool_ended",
                title=told.why or title_of(told.name),
                tool=told.name,
                seconds=round(told.seconds, 3),
                error=told.error,
            )
        )
        return told

    def _run_tool(
        self, tool: Tool, arguments: Mapping[str, JsonValue], ledger: Ledger
    ) -> CallResult:
        """What the tool brings; its claims join the ledger when every one of them holds."""
        began, mine = perf_counter(), ledger.fork()
        try:
            function, ready = tool.read(arguments)
            with errand(self._patience_s):
                output: ToolOutput = function(
                    ToolContext(self._bench, mine, tool.name, ready.wire), **ready.values
                )
            self._check(mine)
        except InputError as error:
            told = _tell_refusal(tool, error)
        except (NoDataError, ProviderError, ConfigError, NotVerifiedError) as error:
            is_ours = isinstance(error, NotVerifiedError)
            why = _UNPROVED if is_ours else why_missing(mine, error)
            kind = type(error).__name__
            text = _error_text(kind, why.zh, _advice(error))
            told = CallResult(tool.name, arguments, text, error=kind, why=why)
        else:
            ledger.join(mine)
            shown = self._showing.of(output.result)
            claims = tuple(dict.fromkeys(shown.claims))
            told = CallResult(tool.name, ready.wire, shown.text, claims=claims, view=output.view)
        for call in mine.trace.tool_calls:
            ledger.record(call)  # who was asked is told of a failed call, too
        return replace(told, seconds=perf_counter() - began)

    def _check(self, ledger: Ledger) -> None:
        """Raises: NotVerifiedError; the whole analysis would fall with it at its end."""
        found = verify(ledger.claims, ledger.trace, self._bench.clock.now())
        if not found.ok:
            raise NotVerifiedError([failure.reason for failure in found.failures])

    def _limit_arguments(self, name: str, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        arguments = dict(given)
        for key, most in self._limits.get(name, {}).items():
            stated = arguments.get(key)
            if stated is None:
                stated = most
            elif not isinstance(stated, bool | str) and isinstance(stated, int | float):
                stated = min(stated, most) if isinstance(most, int | float) else stated
            arguments[key] = stated
        return arguments

    def _note(self, told: CallResult, asked_by: AskedBy) -> None:
        written = json.dumps(dict(told.arguments), ensure_ascii=False)
        self.called.append(
            CalledTool(
                name=told.name,
                arguments=written[:_SHOWN_ARGUMENTS],
                asked_by=asked_by,
                seconds=round(told.seconds, 3),
                claims=len(told.claims),
                error=told.error,
                message=told.why,
                absent=_absent(told),
            )
        )


def _absent(told: CallResult) -> tuple[Text, ...]:
    """The series that did not come, where others of the same call did."""
    if told.name != "get_macro_data" or not isinstance(told.view, Mapping):
        return ()
    parts = cast("Mapping[str, object]", told.view)  # pyright: ignore[reportUnknownMemberType] — checked above
    missing = (name for name, part in parts.items() if isinstance(part, Absence))
    return tuple(SERIES_TITLES[name] for name in missing if name in SERIES_TITLES)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call as it was understood; `key` is the same for the same call. `tool` is None where there
    is none of that name, `refused` says what else is wrong.
    """

    tool: Tool | None
    key: tuple[str, str]
    arguments: Mapping[str, JsonValue]
    refused: InputError | None = None


def _write_arguments(arguments: Mapping[str, JsonValue]) -> str:
    return json.dumps(dict(arguments), sort_keys=True, ensure_ascii=False)


def _object(arguments: str | Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    if not isinstance(arguments, str):
        return arguments
    if len(arguments) > _LONGEST_ARGUMENTS:
        raise InputError("arguments", "…", f"a JSON object of up to {_LONGEST_ARGUMENTS} letters")
    try:
        read = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        raise InputError("arguments", arguments, "a JSON object") from None
    if not isinstance(read, dict):
        raise InputError("arguments", arguments, "a JSON object")
    return cast("dict[str, JsonValue]", read)


def _tell_refusal(tool: Tool | None, error: InputError) -> CallResult:
    """Nothing was asked for; what the model wrote is told to the model alone."""
    text = json.dumps(
        {
            "error": {
                "type": "InputError",
                "argument": error.name,
                "got": error.got,
                "valid": str(error.valid),
                **({"choices": list(error.choices)} if error.choices else {}),
            }
        },
        ensure_ascii=False,
    )
    if tool is None:
        why = Text("没有这个工具", "there is no such tool")
        return CallResult(_NO_SUCH_TOOL, {}, text, error="InputError", why=why)
    zh, en = "参数有误", "not valid"
    named = error.name.partition("[")[0]
    if named in _OUR_NAMES or named in tool.schema["parameters"]["properties"]:
        zh, en = f"参数有误：{named}", f"not a valid argument: {named}"
    why = Text(zh, en)
    return CallResult(tool.name, {}, text, error="InputError", why=why)


def _advice(error: Exception) -> str:
    return error.advice if isinstance(error, NoDataError) else ""


def _error_text(kind: str, message: str, advice: str) -> str:
    """What went wrong, and what to ask instead: the advice is for a model, never for readers."""
    told = {"type": kind, "message": message, **({"advice": advice} if advice else {})}
    return json.dumps({"error": told}, ensure_ascii=False)


def _again(told: CallResult) -> CallResult:
    note = json.dumps({"note": "已经查过，结果同前，见上文。"}, ensure_ascii=False)
    return replace(told, text=told.text if told.error else note, seconds=0.0)
