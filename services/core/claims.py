"""Claim: the only form in which a figure may reach a page, a report or an export."""

from datetime import date
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from services.core.record import SYMBOL_FIELD, Record
from services.core.requests import Bound
from services.core.text import Text


class ToolCite(Record):
    """The figure is a fact of that tool call; `raw` and `field` are the upstream's own."""

    kind: Literal["tool"] = "tool"
    source: str
    table: str
    fetched_at: AwareDatetime
    tool_call_id: str
    served_by: str
    field: str
    raw: str | None = None
    note: str | None = None


class SeriesRef(Record):
    """A run of one metric inside a tool call, used whole: first and last day, and how many."""

    name: str
    tool_call_id: str
    symbol: str = SYMBOL_FIELD
    metric: str
    start: date
    end: date
    count: int


class MembersRef(Record):
    """Companies of a call's members (core/members.py): those with a value in `column` (all of them
    where it is null) that satisfy every bound, of one industry where that is named; or the listings
    that are no companies but `listing`. `sha256` is of the members, `count` how many are meant.
    """

    name: str
    tool_call_id: str
    column: str | None = None
    bounds: tuple[Bound, ...] = ()
    industry: str | None = None
    listing: str | None = None
    sha256: str
    count: int


class DerivedCite(Record):
    """The figure is `formula` of the claims `inputs` (in the formula's order) and of `series`, or
    of `members` alone.
    """

    kind: Literal["derived"] = "derived"
    formula: str
    inputs: tuple[str, ...] = ()
    series: tuple[SeriesRef, ...] = ()
    members: tuple[MembersRef, ...] = Field(default=(), exclude_if=lambda refs: not refs)
    note: str | None = None


class CompetenceCite(Record):
    """The figure is part of a registered judgement or rule (see core/limits.py)."""

    kind: Literal["competence"] = "competence"
    competence_id: str
    note: str | None = None


Cite = Annotated[ToolCite | DerivedCite | CompetenceCite, Field(discriminator="kind")]


class Claim(Record):
    """One figure with everything needed to follow it back.

    `symbol` is `code` on the wire. `value` has full precision in `unit`; `as_of` is the day the
    figure is about; `period` is null for a price.
    """

    claim_id: str
    value: float
    metric: str
    metric_code: str | None = None
    symbol: str = SYMBOL_FIELD
    as_of: date
    unit: str
    period: str | None = None
    cite: Cite


class Missing(Record):
    """A figure that is not available, with the reason in words. Never a zero."""

    metric: str
    symbol: str = SYMBOL_FIELD
    reason: Text


Figure = Claim | Missing


def claim_id(*parts: object) -> str:
    """A stable id from what the claim says and cites."""
    text = "\x1f".join(map(str, parts))
    return "c_" + sha256(text.encode()).hexdigest()[:16]
