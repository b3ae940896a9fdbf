"""What a tool is, and the one way to call it: checked arguments in, verified claims out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import JsonValue

from services.core.claims import Claim
from services.core.clock import Clock
from services.core.errors import InputError
from services.core.ledger import Ledger
from services.core.sight import is_seen
from services.core.text import Text
from services.core.trace import ToolCall, Trace
from services.market.calendar import Calendar
from services.market.indicators.backends import Choice
from services.market.names.names import Names
from services.market.texts import stale_notes
from services.settings import Settings
from services.tools.knowledge_base import KnowledgeBase
from services.tools.running import Runner, call_id
from services.tools.schema import NOTHING, Arguments, Schema, Signature
from services.tools.wire import to_wire


@dataclass(frozen=True, slots=True)
class Workbench:
    """What tools work with; the same for every call."""

    names: Names
    calendar: Calendar
    clock: Clock
    settings: Settings
    knowledge: KnowledgeBase
    indicator_backend: Choice = "auto"  # agent.tools.indicators.backend of seed 004


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The first argument of every tool: the workbench, and the ledger of this call."""

    bench: Workbench
    ledger: Ledger
    name: str
    arguments: Mapping[str, JsonValue]

    def record_reading(self, source: str, table: str, body_sha256: str) -> None:
        """Put the reading of a local text in the trace: it brings words, no figures."""
        call = ToolCall(
            tool_call_id=call_id(),
            name=self.name,
            arguments=dict(self.arguments),
            attempts=(),
            source=source,
            table=table,
            served_by=source,
            fetched_at=self.bench.clock.now(),
            duration_ms=0.0,
            body_sha256=body_sha256,
        )
        self.ledger.record(call)


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """`result` has Claims where figures stand (see wire.py); `view` is the market result."""

    result: Mapping[str, object]
    view: object


ToolFunction = Callable[..., ToolOutput]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool under its wire name; `usages` by value of the argument `usage`, or one under "".

    `more` by usage: type and default of the arguments its function takes by `**`.
    """

    name: str
    description: str
    usages: Mapping[str, ToolFunction]
    more: Mapping[str, Mapping[str, tuple[Any, Any]]] = field(
        default_factory=dict[str, Mapping[str, tuple[Any, Any]]]
    )
    _signatures: dict[str, Signature] = field(init=False, default_factory=dict[str, Signature])

    def __post_init__(self) -> None:
        self._signatures.update(
            {usage: Signature(work, self.more.get(usage)) for usage, work in self.usages.items()}
        )

    @property
    def schema(self) -> Schema:
        """Name, description and JSON schema of the arguments.

        With several usages `parameters` holds the arguments of all, because model interfaces allow
        no alternatives at the top level; `usages` has the exact schema of each.
        """
        if "" in self.usages:
            return self._describe(self._signatures[""].schema)
        usage: Schema = {
            "type": "string",
            "enum": list(self.usages),
            "description": "用法，按问题类型二选一："
            + "；".join(
                f"{name}＝{(inspect.getdoc(work) or '').splitlines()[0]}"
                for name, work in self.usages.items()
            ),
        }
        merged: Schema = {"usage": usage}
        for signature in self._signatures.values():
            merged |= signature.properties
        flat: Schema = {
            "type": "object",
            "properties": merged,
            "required": ["usage"],
            "additionalProperties": False,
        }
        return self._describe(flat) | {
            "usages": {name: signature.schema for name, signature in self._signatures.items()}
        }

    def _describe(self, parameters: Schema) -> Schema:
        return {"name": self.name, "description": self.description, "parameters": parameters}

    def read(self, given: Mapping[str, JsonValue]) -> tuple[ToolFunction, Arguments]:
        """Which function is meant, and its checked arguments. Raises: InputError."""
        around = is_seen("tool", self.name)
        if "" in self.usages:
            return around(self.usages[""]), self._signatures[""].read(given)
        rest = dict(given)
        usage = rest.pop("usage", NOTHING)
        if not isinstance(usage, str) or usage not in self.usages:
            raise InputError("usage", usage, "one of " + " | ".join(self.usages))
        arguments = self._signatures[usage].read(rest)
        wire = {"usage": usage, **arguments.wire}
        return around(self.usages[usage]), Arguments(wire, arguments.values)


def tool(name: str) -> Callable[[ToolFunction], Tool]:
    """Make a tool of a function; its docstring is what the model reads."""

    def make(function: ToolFunction) -> Tool:
        return Tool(name, inspect.getdoc(function) or "", {"": function})

    return make


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A finished call. `cites` maps each figure's place in `result` to the claims it shows."""

    tool: str
    arguments: Mapping[str, JsonValue]
    result: JsonValue
    claims: tuple[Claim, ...]
    trace: Trace
    view: object
    run_id: str
    cites: Mapping[str, list[str]]

    def to_json(self) -> dict[str, Any]:
        """The wire form: tool, arguments, result, claims, trace, cites."""
        return {
            "tool": self.tool,
            "arguments": dict(self.arguments),
            "result": self.result,
            "claims": [claim.model_dump(mode="json") for claim in self.claims],
            "trace": self.trace.model_dump(mode="json"),
            "cites": dict(self.cites),
        }


class Toolbox:
    """Every tool there is, and `call`."""

    def __init__(self, tools: Mapping[str, Tool], runner: Runner, bench: Workbench) -> None:
        """`tools` by wire name; `runner` stores each call."""
        self._tools = tools
        self._runner = runner
        self._bench = bench

    def call(self, name: str, arguments: Mapping[str, JsonValue], *, session_id: str) -> ToolResult:
        """Call a tool by its wire name.

        Raises: InputError (nothing was asked or stored when an argument is refused),
        ProviderError, NoDataError, NotVerifiedError.
        """
        asked = find_tool(self._tools, name)
        function, ready = asked.read(arguments)
        finished = self._runner.run(
            name,
            ready.wire,
            lambda ledger: function(
                ToolContext(self._bench, ledger, name, ready.wire), **ready.values
            ),
            session_id=session_id,
        )
        wire = to_wire(_aged(finished.output.result, finished.trace))
        return ToolResult(
            tool=name,
            arguments=ready.wire,
            result=wire.value,
            claims=finished.claims,
            trace=finished.trace,
            view=finished.output.view,
            run_id=finished.run_id,
            cites=wire.cites,
        )


def _aged(result: Mapping[str, object], trace: Trace) -> Mapping[str, object]:
    """The answer with a note where a source failed and what it said before stands in for it."""
    notes = result.get("notes", [])
    told = stale_notes(trace.tool_calls)
    if not told or not isinstance(notes, list):
        return result
    written = cast("list[Text | str]", notes)
    new = [note for note in told if not any(note.zh in one for one in written)]
    return {**result, "notes": [*written, *new]}


def find_tool(tools: Mapping[str, Tool], name: str) -> Tool:
    """The tool of that wire name. Raises: InputError listing the tools there are."""
    if name not in tools:
        raise InputError("tool", name, "one of " + " | ".join(tools), choices=tuple(tools))
    return tools[name]
