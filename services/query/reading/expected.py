"""What analysts expect, told as theirs: the words of what is to come beside it are no refusal."""

from dataclasses import replace
from datetime import date

from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import When
from services.query.reading.figures_said import is_of_days
from services.query.reading.phrases import Time
from services.query.reading.tagging import Lattice
from services.query.reading.time_forms import YEARS_AHEAD


def as_expected(lattice: Lattice, today: date) -> Lattice:
    """What analysts expect is told as theirs: beside a figure of reports it is no forecast asked
    of us. 明年 is then a year like another, and 预测 only says that it is to come.
    """
    expected = lattice.has("consensus")
    said = lattice.has("METRIC", "ENT")
    prices = any(one.cat == "METRIC" and is_of_days(str(one.sem)) for one in said)
    if not expected or prices or not any(one.cat == "ENT" for one in said):
        return lattice
    coming = [one for one in lattice.tokens if one.cat == "refuse" and one.sem == "predict"]
    kept = [one for one in lattice.tokens if one not in coming]
    said = {(one.start, one.end) for one in expected}
    gone = [
        _ahead(one, lattice.text, today)
        for one in coming
        if not any(start <= one.start and one.end <= end for start, end in said)
    ]
    return Lattice(lattice.text, (*kept, *gone), lattice.unread)


def _ahead(one: Token, text: str, today: date) -> Token:
    """A year to come as the year it is; any other word of what will be says nothing more."""
    years = YEARS_AHEAD.get(text[one.start : one.end].casefold())
    if years is None:
        return replace(one, cat=FUNCTION, sem=None, cost=0.3)
    year = today.year + years
    return replace(one, cat="WHEN", sem=Time(When(kind="years", first=year, last=year)), cost=0.3)
