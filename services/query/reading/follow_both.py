"""两家, the two of them: of two companies, or two sets, that two turns asked about one after the
other.
"""

import re
from collections.abc import Sequence

from services.query.algebra.nodes import Across, In, Query, When, both, walk
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import ParseChart
from services.query.reading.phrases import said_as

# Two companies pointed at together; whatever else points (它们, 这些) may be of any number.
_PAIR = 2
# A word inside a longer one costs more: the fall between those two points at no companies.
_SURE = 2.0
_BOTH = re.compile(r"两|兩|俩|both|\btwo\b|\bpair\b")


def of_both(chart: ParseChart, before: Sequence[Query]) -> Sequence[Query]:
    """The queries before as such a word sees them: the last about the companies, or the sets, of
    both turns; none where only one was spoken of, so that nobody is left out without a word.
    """
    follow = (one for one in chart.tokens if one.cat == "follow" and one.cost < _SURE)
    pointing = (one for one in follow if one.sem == "these")
    if not any(_BOTH.search(chart.text[one.start : one.end]) for one in pointing) or not before:
        return before
    last = _alone(before[-1])
    if before[-1].group is not None:
        return before  # 这两个行业: of the groups that were told
    if last is None:
        if not before[-1].fold:
            return before
        sets = of_two_sets(before)
        return (*before[:-1], sets) if sets is not None else ()
    earlier = [one for query in before[:-1] if (one := _alone(query)) and one != last]
    if not earlier:
        return ()
    both = In(dim="symbol", values=(earlier[-1], last))
    return (*before[:-1], before[-1].model_copy(update={"scope": both}))


def of_two_sets(before: Sequence[Query]) -> Query | None:
    """The same fold of the two sets that were spoken of last, side by side; None behind others."""
    told = before[-1].show
    if before[-1].rows == "one":
        is_pair = len(told) == _PAIR and all(isinstance(one, Across) for one in told)
        return before[-1] if is_pair else None
    folds = [one.fold for one in before[-2:]]
    if len(folds) != _PAIR or folds[0] != folds[1] or len(folds[0]) != 1:
        return None
    how, of = folds[0][0].how, folds[0][0].of
    if of is None or any(one.take or one.group or one.first or one.less for one in before[-2:]):
        return None
    withins = [both(one.scope, one.where) for one in before[-2:]]
    return Query(rows="one", show=tuple(Across(how=how, of=of, within=one) for one in withins))


def two_years(before: Sequence[Query]) -> tuple[int, int] | None:
    """The two years the figures told are of: of the last answer, or of the last two alike."""
    last, window = before[-1], before[-1].window
    if last.rows == "years" and window is not None and window.kind == "years":
        years = window.only or (window.first, window.last)
    else:
        beside = (one for one in before[-2:] if one.scope == last.scope)
        times = [{when for expr in one.show for when in walk(expr)} for one in beside]
        whens = [
            one for some in times for one in some
            if isinstance(one, When) and one.kind == "years" and one.first == one.last
        ]  # fmt: skip
        same = [[said_as(expr) for expr in one.show] for one in before[-2:]]
        years = tuple(one.first for one in whens) if same[0] == same[-1] else ()
    found = [one for one in years if isinstance(one, int)]
    is_apart = len(found) == len(years) == 2 and found[0] != found[1]
    is_of_each = last.rows == "years" and not last.where and not last.take
    if not is_apart:
        return None
    is_of_each = is_of_each and (bool(window and window.only) or abs(found[0] - found[1]) == 1)
    return (found[0], found[1]) if is_of_each or last.rows == "companies" else None


def _alone(query: Query) -> str | None:
    """The one company a query is about."""
    symbols = named_symbols(query.scope) or ()
    return symbols[0] if len(symbols) == 1 else None
