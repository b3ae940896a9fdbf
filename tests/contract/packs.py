"""Evidence packs of every kind of page from the bundled market, and a forger to change them."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from services.agents.results import AgentRunRequest
from services.cli.scoring import score_wire
from services.core.text import Language
from services.evidence_pack.answers import answer_pack, report_pack, score_pack
from services.evidence_pack.build import seal_pack
from services.evidence_pack.parts import LINES, document, line_digests, record_line
from services.evidence_pack.read_pack import read_manifest
from services.evidence_pack.zip_file import MANIFEST, container, open_pack, pack_part
from services.query.answering.answers import Answered, wire_of
from services.scoring.scorer import ScoreRequest
from services.views.table import View
from tests.unit.reports.bundled import desk, services, session

KINDS = ("overview", "screen", "stock", "financials", "ask", "report", "score", "trace")


@cache
def view_of(kind: str) -> View:
    """The view of a page, built once."""
    mine = session()
    made: Mapping[str, Callable[[], View]] = {
        "overview": lambda: desk().overview(mine),
        "screen": lambda: desk().screen({"category": "CN", "pettm": "0_20", "size": "5"}, mine),
        "stock": lambda: desk().stock("000002.SZ", None, None, mine),
        "financials": lambda: desk().financials("600519", mine, count=2),
        "trace": lambda: _trace(mine),
    }
    return made[kind]()


def _trace(mine: str) -> View:
    desk().financials("000651.SZ", mine, count=1)
    return desk().traces(mine)


class Silent:
    """Somebody who watches and says nothing."""

    def step(self, step: object) -> None:
        """Nothing."""

    def cancelled(self) -> bool:
        """Never."""
        return False


@cache
def pack(kind: str, language: Language = "zh", symbol: str = "600519") -> bytes:
    """The pack of a page or an answer, written once; a report's of that company."""
    if kind == "report":
        request = AgentRunRequest(symbol=symbol, language=language, by_rule=True)
        found = services().analyses.run(request, session(), Silent())
        return report_pack(services(), found, found.model_dump(mode="json"))
    if kind == "score":
        wanted = ScoreRequest(symbol="600519", language=language, by_rule=True)
        scored = services().scores.run(wanted, session(), Silent())
        return score_pack(services(), scored, score_wire(scored), language)
    if kind == "ask":
        asked = services().query.ask("600036.SH最新市盈率和股息率", desk().begin())
        assert isinstance(asked, Answered)
        return answer_pack(services(), asked, wire_of(asked))
    return desk().pack(view_of(kind), language)


def parts_of(data: bytes) -> dict[str, bytes]:
    """The content of every part but the manifest, in order."""
    members = open_pack(data).members[1:]
    return {one.name: one.content for one in members if one.content is not None}


def with_old_manifest(data: bytes, part: str, content: bytes) -> bytes:
    """The part changed by somebody who knows how to make a ZIP and nothing of the manifest."""
    members = open_pack(data).members
    head = (MANIFEST, members[0].packed, members[0].packed)
    rest = [
        (one.name, content, pack_part(content, first=False))
        if one.name == part
        else (one.name, one.content or b"", one.packed)
        for one in members[1:]
    ]
    return container([head, *rest])


def forged(data: bytes, changed: Mapping[str, bytes], *, lines: bool = True) -> bytes:
    """The parts changed by somebody who writes every hash and the seal anew, and with `lines` the
    digests of the lines as well.
    """
    parts = parts_of(data) | dict(changed)
    if lines:
        rest = {name: body for name, body in parts.items() if name != LINES}
        parts[LINES] = line_digests(rest)
    return seal_pack(read_manifest(open_pack(data).members[0].packed), parts)


def edit_line(content: bytes, wanted: Callable[[dict[str, Any]], bool], change: Any) -> bytes:
    """The first record of a line-based part that is wanted, changed in place."""
    lines = content.decode().split("\n")
    for at, line in enumerate(lines):
        if line and wanted(value := json.loads(line)):
            change(value)
            lines[at] = record_line(value)
            return "\n".join(lines).encode()
    raise AssertionError("no such line")


def edit_document(content: bytes, change: Callable[[Any], None]) -> bytes:
    """A document changed in place."""
    value = json.loads(content)
    change(value)
    return document(value)
