"""Whether two readings of a question come to one answer: read otherwise, they may still mean the
same, and who asked is not bothered with a choice that makes no difference.
"""

from collections.abc import Callable, Sequence

from services.core.claims import Claim
from services.core.errors import ConfigError, InputError, NoDataError, ProviderError
from services.core.ledger import Ledger
from services.query.algebra.nodes import (
    OWN,
    Compare,
    Const,
    Course,
    Exists,
    Metric,
    Node,
    Over,
    Query,
    Rank,
    Take,
    rewrite,
)
from services.query.algebra.run import run_query
from services.query.algebra.scopes import named_symbols
from services.query.algebra.wire import read_query
from services.query.answering.desk import ActionDesk
from services.query.answering.outcomes import Outcome
from services.tools.running import Runner

_Told = dict[tuple[str | None, str], tuple[str, ...]]
# Figures that differ by less were computed by another order of steps; of two things apart it is one
# gap from either side.
_DIGITS = ".9e"
# A highest above a bound, a lowest below it: some session was.
_REACHED = {"max": ("gt", "ge"), "min": ("lt", "le")}


def answer_alike(
    readings: Sequence[str], runner: Runner, desk: Callable[[Ledger], ActionDesk]
) -> bool:
    """Whether two readings, as JSON, bring the same rows, and of each row one of them every figure
    of the other's, or each the one that stands first there: the others are what it is made of. Two
    yes or no are alike where they ask the same in other words. Not where a source fails.
    """
    one, other = map(read_query, readings)
    return runner.try_out("readings", {}, lambda ledger: _are_alike(one, other, desk(ledger)))


def _are_alike(one: Query, other: Query, desk: ActionDesk) -> bool:
    if one.check is not None or other.check is not None:
        return _ask_alike(one, other)
    if _takes_a_default(one, other):
        return True
    try:
        first, second = (_told(run_query(query, desk)) for query in (one, other))
    except (NoDataError, ProviderError, ConfigError, InputError):
        return False
    if first is None or second is None:
        return False
    if all(query.rows == "one" or named_symbols(query.scope) for query in (one, other)):
        # 谁的营收高，高多少: of one of them with the gap, or of both.
        first, second = _of_all(first), _of_all(second)
    if first.keys() != second.keys():  # two medians beside each other, or of two groups
        one_all, other_all = (set[str]().union(*one.values()) for one in (first, second))
        is_few = all(query.rows == "one" or query.fold for query in (one, other))
        return one_all == other_all or (is_few and (one_all <= other_all or other_all <= one_all))
    pairs = [(first[key], second[key]) for key in first]
    return (
        all(set(a) <= set(b) for a, b in pairs)
        or all(set(b) <= set(a) for a, b in pairs)
        or all(a and b and a[0] in b and b[0] in a for a, b in pairs)
    )


def _ask_alike(one: Query, other: Query) -> bool:
    """Whether both ask one yes or no of the same companies, whatever is shown beside it."""
    if one.check is None or other.check is None:
        return False
    same = one.but(check=None, show=()) == other.but(check=None, show=())
    return same and rewrite(one.check, _plain_test) == rewrite(other.check, _plain_test)


def _plain_test(node: Node) -> Node:
    """One form of what may be written in several: first is of a place not above one; a highest
    above a bound is a session above it.
    """
    if not (isinstance(node, Compare) and isinstance(node.right, Const)):
        return node
    left, sign, right = node.left, node.sign, node.right
    if isinstance(left, Course | Rank):
        right = Const(value=right.value)
        is_first = isinstance(left, Rank) and not left.percentile and sign == "eq"
        sign = "le" if is_first and right.value == 1 else sign
        return Compare(sign=sign, left=left, right=right)
    if isinstance(left, Over) and sign in _REACHED.get(left.how, ()):
        each = Compare(sign=sign, left=Metric(id=left.of, when=OWN), right=right)
        return Exists(window=left.window, test=each)
    return node


def _takes_a_default(one: Query, other: Query) -> bool:
    """市净率最高的: the first, the first so many or all of them, where nobody said how many."""
    takes = [query.take for query in (one, other)]
    alike = one.but(take=None) == other.but(take=None)
    return (
        alike and bool(one.order) and all(take in (None, Take(), Take(count=1)) for take in takes)
    )


def _of_all(told: _Told) -> _Told:
    return {(None, ""): tuple(one for figures in told.values() for one in figures)}


def _told(outcome: Outcome) -> _Told | None:
    """The figures of each row; None where two rows have one name."""
    told = {
        (row.symbol, row.label.zh): tuple(
            format(abs(figure.value), _DIGITS) if isinstance(figure, Claim) else figure.metric
            for figure in row.figures.values()
        )
        for row in outcome.rows
    }
    return told if len(told) == len(outcome.rows) else None
