"""两家, the two of them: of two companies that two turns asked about, one after the other."""

import re
from collections.abc import Sequence

from services.query.algebra.nodes import In, Query
from services.query.reading.chart import ParseChart

# Two companies pointed at together; whatever else points (它们, 这些) may be of any number.
_BOTH = re.compile(r"两|兩|俩|both|\btwo\b|\bpair\b")


def of_both(chart: ParseChart, before: Sequence[Query]) -> Sequence[Query]:
    """The queries before as such a word sees them: the last about the companies of both turns;
    none where only one company was spoken of, so that nobody is left out without a word.
    """
    pointing = (one for one in chart.tokens if one.cat == "follow" and one.sem == "these")
    if not any(_BOTH.search(chart.text[one.start : one.end]) for one in pointing) or not before:
        return before
    last = _alone(before[-1])
    if last is None:  # of two sets that were folded one after the other, nobody is left out either
        return () if _is_folded(before[-1]) else before
    earlier = [one for query in before[:-1] if (one := _alone(query)) and one != last]
    if not earlier:
        return ()
    both = In(dim="symbol", values=(earlier[-1], last))
    return (*before[:-1], before[-1].model_copy(update={"scope": both}))


def _is_folded(query: Query) -> bool:
    """Whether it told one figure over a set."""
    return bool(query.fold) and query.group is None and query.take is None


def _alone(query: Query) -> str | None:
    """The one company a query is about."""
    scope = query.scope
    is_one = isinstance(scope, In) and scope.dim == "symbol" and len(scope.values) == 1
    return scope.values[0] if isinstance(scope, In) and is_one else None
