"""The parts of an evidence pack as text, and back: nothing here judges what they say.

Line-based parts have one record a line, so that a wrong line can be named; every line and document
is in one spelling only (keys sorted, no spaces to choose).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from pydantic import AwareDatetime, JsonValue

from services.core.claims import Claim
from services.core.limits import Competence
from services.core.record import Record
from services.core.text import Language
from services.core.trace import Fact, Item, ToolCall, Trace
from services.exports.paper import Paper, PaperKind

FORMAT = "youju-pack/1"
TOOL = "youju 0.1.0"
PAPER, CLAIMS, CALLS, ROWS = "paper.json", "claims.jsonl", "calls.jsonl", "rows.jsonl"
ITEMS, MODEL_CALLS, COMPETENCES = "items.jsonl", "model_calls.jsonl", "competences.json"
NAMES, REPORT, RESULT, LINES = "names.json", "report.md", "result.json", "lines.json"
TABLES = "tables/"
REQUIRED = (
    PAPER, CLAIMS, CALLS, ROWS, ITEMS, MODEL_CALLS, COMPETENCES, NAMES, REPORT, LINES,
)  # fmt: skip
# Rows and texts lie in parts of their own, each line with the id of its call under this key.
CALL = "tool_call_id"
_LARGE = ("rows", "items")
_DIGITS = 6


class PackPart(Record):
    """One part: the hash of its content, and that of the bytes it lies in the file as."""

    file: str
    bytes: int
    sha256: str
    packed_sha256: str


class PackSnapshot(Record):
    """The bundled market the figures come from."""

    name: str
    clock: AwareDatetime


class PackManifest(Record):
    """What a pack is. `now` is the instant its claims were verified at, `day` the one that 今年 in
    its texts counts from, `made_at` the real time it was written at. `symbols` is whom it is
    about, empty for a market. `unjudged` are the places of texts, written by rule, whose words
    code does not judge. `seal` is the sha256 of this document without it.
    """

    format: str
    tool: str
    kind: PaperKind
    title: str
    symbols: tuple[str, ...]
    language: Language
    mode: str
    snapshot: PackSnapshot | None
    made_at: AwareDatetime
    now: AwareDatetime
    day: date
    unjudged: tuple[str, ...] = ()
    parts: tuple[PackPart, ...]
    seal: str = ""

    @property
    def fingerprint(self) -> str:
        """What to compare with what the sender told: it stands for every byte of the pack."""
        return self.seal[:16]

    def with_seal(self) -> "PackManifest":
        """The same with its seal."""
        return self.model_copy(update={"seal": self.wanted_seal})

    @property
    def wanted_seal(self) -> str:
        """The seal this document must have."""
        told = self.model_dump(mode="json", exclude={"seal"})
        return sha256(document(told)).hexdigest()


@dataclass(frozen=True, slots=True)
class PackContent:
    """What the parts say. `names`: symbol → what it may be called. `result` is the answer as the
    command line prints it, without claims and trace; null where the paper is all there is.
    """

    paper: Paper
    claims: tuple[Claim, ...]
    trace: Trace
    names: Mapping[str, tuple[str, ...]]
    competences: tuple[Competence, ...]
    result: JsonValue = None

    @property
    def by_id(self) -> dict[str, Claim]:
        """The claims by their ids."""
        return {claim.claim_id: claim for claim in self.claims}


def document(value: object) -> bytes:
    """A JSON document in its one spelling, a line for each of its values."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1)
    return (text + "\n").encode()


def record_line(value: object) -> str:
    """A JSON value in its one spelling, on one line."""
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )


def digest(content: bytes) -> str:
    """The sha256 of it."""
    return sha256(content).hexdigest()


def write_parts(content: PackContent) -> dict[str, bytes]:
    """The parts that hold what was said and what it stands on, by file."""
    calls = content.trace.tool_calls
    made = {
        PAPER: document(content.paper.model_dump(mode="json")),
        CLAIMS: _lines(claim.model_dump(mode="json") for claim in content.claims),
        CALLS: _lines(call.model_dump(mode="json", exclude=set(_LARGE)) for call in calls),
        ROWS: _lines(_name_call(call, fact) for call in calls for fact in call.rows),
        ITEMS: _lines(_name_call(call, item) for call in calls for item in call.items),
        MODEL_CALLS: _lines(one.model_dump(mode="json") for one in content.trace.model_calls),
        COMPETENCES: document([one.model_dump(mode="json") for one in content.competences]),
        NAMES: document({name: list(said) for name, said in content.names.items()}),
    }
    if content.result is not None:
        made[RESULT] = document(content.result)
    return made


def line_digests(parts: Mapping[str, bytes]) -> bytes:
    """A short digest of every line of every part: it says which line was changed."""
    return document({name: "".join(_digests(content)) for name, content in parts.items()})


def find_changed_lines(content: bytes, digests: str) -> Iterator[int]:
    """The numbers (from 1) of the lines that have not the digest they were written with; where
    lines were taken out or put in, the first one of those alone.
    """
    now = _digests(content)
    before = [digests[at : at + _DIGITS] for at in range(0, len(digests), _DIGITS)]
    wrong = [at for at, pair in enumerate(zip(now, before, strict=False)) if pair[0] != pair[1]]
    if len(now) != len(before):
        wrong = wrong[:1] or [min(len(now), len(before))]
    return (at + 1 for at in wrong)


def _digests(content: bytes) -> list[str]:
    lines = content.split(b"\n")
    return [sha256(line).hexdigest()[:_DIGITS] for line in lines]


def _lines(values: Iterable[object]) -> bytes:
    return "".join(record_line(value) + "\n" for value in values).encode()


def _name_call(call: ToolCall, one: Fact | Item) -> dict[str, Any]:
    told = one.model_dump(mode="json", exclude_none=True)
    return {CALL: call.tool_call_id, **told}
