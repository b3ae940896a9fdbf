"""From the parts of an evidence pack to what they say. Every place that cannot be read is told."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from services.core.claims import Claim
from services.core.limits import Competence
from services.core.model_calls import ModelCall
from services.core.record import Record
from services.core.text import Text
from services.core.trace import Fact, Item, ToolCall, Trace
from services.evidence_pack.parts import (
    CALL,
    CALLS,
    CLAIMS,
    COMPETENCES,
    ITEMS,
    LINES,
    MODEL_CALLS,
    NAMES,
    PAPER,
    RESULT,
    ROWS,
    PackContent,
    PackManifest,
    document,
    record_line,
)
from services.evidence_pack.size_limits import DEEPEST, LONGEST_LINE, Fault, is_too_deep
from services.evidence_pack.zip_file import MANIFEST, open_pack
from services.exports.paper import Paper

_MOST_TOLD = 50
_SPELLING = Text(
    "不是本软件写出的样子（键序、空格、数字写法或编码不同）",
    "not spelled as this tool writes it (order of keys, spaces, numbers or encoding)",
)
_TOO_DEEP = Text(
    f"嵌套超过 {DEEPEST} 层，未读取", f"nested more than {DEEPEST} levels deep: not read"
)
_TOO_LONG = Text(
    f"一行超过 {LONGEST_LINE} 字节，未读取", f"a line of more than {LONGEST_LINE} bytes: not read"
)
_MISSING = Text("证据包里没有这个部件", "the pack has no such part")
_COMPETENCES = TypeAdapter(tuple[Competence, ...])
_NAMES = TypeAdapter(dict[str, tuple[str, ...]])
_DIGESTS = TypeAdapter(dict[str, str])
# What names a line: a claim, a row, a call, a text.
_TELLING = ("claim_id", "code", "metric", "period", "as_of", "tool_call_id", "table", "item_id")
_LONGEST_TOLD = 160
_M = TypeVar("_M")
_R = TypeVar("_R", bound=Record)


class UnreadError(Exception):
    """Parts that say nothing: `faults` name the places."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(fault.place for fault in faults))
        self.faults = faults


def read_manifest(content: bytes) -> PackManifest:
    """The manifest, whatever its seal. Raises: UnreadError."""
    reader = _Reader({MANIFEST: content})
    found = reader.document(MANIFEST, PackManifest.model_validate)
    if found is None:
        raise UnreadError(*reader.faults)
    return found


def fingerprint_of(pack: bytes) -> str:
    """The fingerprint of a pack that was just written."""
    return read_manifest(open_pack(pack).members[0].packed).fingerprint


def read_content(parts: Mapping[str, bytes]) -> PackContent:
    """What the parts say. Raises: UnreadError, with every place that could not be read."""
    reader = _Reader(parts)
    paper = reader.document(PAPER, Paper.model_validate)
    claims = tuple(claim for _, claim in reader.lines(CLAIMS, Claim))
    trace = reader.trace()
    competences = reader.document(COMPETENCES, _COMPETENCES.validate_python)
    names = reader.document(NAMES, _NAMES.validate_python)
    result = reader.document(RESULT, lambda value: value) if RESULT in parts else None
    if reader.faults or paper is None or competences is None or names is None:
        raise UnreadError(*reader.faults)
    return PackContent(paper, claims, trace, names, competences, result)


def read_digests(content: bytes) -> dict[str, str]:
    """The digests of the lines of each part. Raises: UnreadError."""
    reader = _Reader({LINES: content})
    found = reader.document(LINES, _DIGESTS.validate_python)
    if found is None:
        raise UnreadError(*reader.faults)
    return found


def describe_line(content: bytes, number: int) -> str:
    """Which figure, call or text a line is about, where it can still be read; else nothing."""
    line = content.split(b"\n")[number - 1 :][:1]
    try:
        value = _object(line[0]) if line else {}
    except (ValueError, _RefusedError):
        return ""
    told = (str(value[key]) for key in _TELLING if isinstance(value.get(key), str))
    said = " ".join(told)[:_LONGEST_TOLD]
    return f": {said}" if said else ""


class _Reader:
    """Reads part after part and keeps what is wrong with each."""

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        self._parts = parts
        self.faults: list[Fault] = []

    def document(self, file: str, made: Callable[[Any], _M]) -> _M | None:
        """A document as a record; null, with the fault kept, when it is none."""
        content = self._parts.get(file)
        if content is None:
            self.faults.append(Fault(file, "part_missing", _MISSING))
            return None
        try:
            value = _load_json(content)
            found = made(value)
            spelled = document(value)
        except (ValueError, _RefusedError) as error:
            self.faults.append(_unreadable(file, error))
            return None
        if spelled != content:
            self.faults.append(Fault(file, "spelling", _SPELLING))
            return None
        return found

    def lines(self, file: str, kind: type[_R]) -> Iterator[tuple[str, _R]]:
        """The records of a part, each with the id of its call (empty where lines have none)."""
        content = self._parts.get(file)
        if content is None:
            self.faults.append(Fault(file, "part_missing", _MISSING))
            return
        owned = kind in (Fact, Item)
        rows = content.split(b"\n")
        if rows.pop():
            self.faults.append(Fault(f"{file} line {len(rows) + 1}", "spelling", _SPELLING))
        for number, row in enumerate(rows, start=1):
            if len(self.faults) >= _MOST_TOLD:
                return
            try:
                value = _object(row)
                spelled = record_line(value).encode()
                call = str(value.pop(CALL, "")) if owned else ""
                found = kind.model_validate(value)
            except (ValueError, _RefusedError) as error:
                self.faults.append(_unreadable(f"{file} line {number}", error))
                continue
            if spelled != row:
                self.faults.append(Fault(f"{file} line {number}", "spelling", _SPELLING))
            yield call, found

    def trace(self) -> Trace:
        """The calls with their rows and texts; a row of no call is a fault."""
        calls = [call for _, call in self.lines(CALLS, ToolCall)]
        rows: dict[str, list[Fact]] = {call.tool_call_id: [] for call in calls}
        items: dict[str, list[Item]] = {call.tool_call_id: [] for call in calls}
        self._share(ROWS, Fact, rows)
        self._share(ITEMS, Item, items)
        if len(rows) != len(calls):
            self.faults.append(
                Fault(CALLS, "call_unique", Text("调用编号重复", "two calls have the same id"))
            )
        models = tuple(one for _, one in self.lines(MODEL_CALLS, ModelCall))
        whole = [
            call.model_copy(
                update={
                    "rows": tuple(rows[call.tool_call_id]),
                    "items": tuple(items[call.tool_call_id]),
                }
            )
            for call in calls
        ]
        return Trace(tool_calls=tuple(whole), model_calls=models)

    def _share(self, file: str, kind: type[_R], shares: Mapping[str, list[_R]]) -> None:
        for number, (call, one) in enumerate(self.lines(file, kind), start=1):
            if call in shares:
                shares[call].append(one)
            elif len(self.faults) < _MOST_TOLD:
                said = Text(f"{call!r} 不在 calls.jsonl 中", f"{call!r} is not in calls.jsonl")
                self.faults.append(Fault(f"{file} line {number}", "call_in_trace", said))


class _RefusedError(Exception):
    """JSON that is not read: the reason."""

    def __init__(self, why: Text) -> None:
        super().__init__(str(why))
        self.why = why


def _load_json(content: bytes) -> Any:
    if is_too_deep(content):
        raise _RefusedError(_TOO_DEEP)
    return json.loads(content.decode("utf-8"), parse_constant=_no_constant)


def _object(row: bytes) -> dict[str, Any]:
    if len(row) > LONGEST_LINE:
        raise _RefusedError(_TOO_LONG)
    value = _load_json(row)
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 — told like any other wrong line
    return cast("dict[str, Any]", value)


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _unreadable(place: str, error: Exception) -> Fault:
    """What is wrong with a document, without its content: it is somebody else's."""
    if isinstance(error, _RefusedError):
        return Fault(place, "too_deep", error.why)
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        said = f"{where}: {first['msg']}"
    else:
        said = type(error).__name__
    return Fault(place, "unreadable", Text(f"读不出：{said}", f"it cannot be read: {said}"))
