"""Per-share figures of years whose shares are not today's: flagged, as the reports themselves tell.

A report's profit over its earnings per share is the number of shares it counts by. Where that jumps
between two reports (a split, bonus shares, a large issue), figures a share before and after are of
different shares. `split_of` tells of any figure whether it is one of those, and of which reports.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from services.core.claims import Claim
from services.core.periods import Period, is_report
from services.core.source_marks import join_notes
from services.core.trace import Fact

# Three bonus shares for ten make it 1.3; buybacks and ordinary issues of a year stay well below.
_JUMP = 1.25
# The mark of such a figure where it stands: on pages and in documents.
SPLIT_MARK = "‡"
_SAID = "注意：{before}与{after}之间股本大幅变化（拆股、送转或增发），此前的每股数与其后的不可比"
_READ = re.compile(re.escape(_SAID).replace(r"\{before\}", "(.+?)").replace(r"\{after\}", "(.+?)"))


class Split(NamedTuple):
    """The neighbouring reports between which a company's shares jumped."""

    before: Period
    after: Period


def split_of(claim: Claim) -> Split | None:
    """The jump after which this figure a share is comparable with no later one; None for others."""
    found = _READ.search(claim.cite.note or "") if claim.unit.endswith("/share") else None
    return Split(*map(Period.parse, found.groups())) if found else None


def flag_splits(rows: Sequence[Fact]) -> Sequence[Fact]:
    """The same facts; those a share of a report before such a jump say so in their note.

    Growth across it means nothing; the note begins as every caution does.
    """
    jumps = dict(_jumps(rows))
    if not jumps:
        return rows
    return tuple(_flag_fact(fact, jumps.get(fact.symbol, ())) for fact in rows)


def _jumps(rows: Sequence[Fact]) -> Iterator[tuple[str, list[tuple[Period, Period]]]]:
    """Symbol → the neighbouring reports between which its shares jumped, oldest first."""
    shares: dict[str, dict[Period, float]] = {}
    profits = {
        (fact.symbol, fact.period): fact.value for fact in rows if fact.metric == "net_profit"
    }
    for fact in rows:
        profit = profits.get((fact.symbol, fact.period))
        if fact.metric == "eps" and is_report(fact.period) and profit and fact.value:
            period = Period.parse(str(fact.period))
            shares.setdefault(fact.symbol, {})[period] = profit / fact.value
    for symbol, known in shares.items():
        found = [
            (before, after)
            for before, after in pairwise(sorted(known))
            if not 1 / _JUMP < known[after] / known[before] < _JUMP
        ]
        if found:
            yield symbol, found


def _flag_fact(fact: Fact, jumps: Sequence[tuple[Period, Period]]) -> Fact:
    if not fact.unit.endswith("/share") or not is_report(fact.period):
        return fact
    own = Period.parse(str(fact.period))
    since = [(before, after) for before, after in jumps if own <= before]
    if not since:
        return fact
    before, after = since[0]
    said = _SAID.format(before=before.label("zh"), after=after.label("zh"))
    return fact.model_copy(update={"note": join_notes(fact.note, said)})
